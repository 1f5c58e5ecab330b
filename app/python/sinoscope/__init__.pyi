# SPDX-License-Identifier: GPL-3.0-or-later
# Made by packaging/write_stubs.py from the tables of options; don't edit.
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray
from typing_extensions import Unpack

__version__: str
Progress = Callable[[str, float], None]

class Error(Exception):
    kind: str
class RequestError(Error, ValueError): ...
class FileError(Error, OSError): ...
class OutOfMemory(Error, MemoryError): ...

class Options(TypedDict, total=False):
    method: Literal["auto", "exact", "double", "cpu", "ladder", "standard", "texture", "hybrid", "alu", "tensor", "exact-cuda", "shuffle", "columns", "standard-opencl", "texture-opencl", "hybrid-opencl", "alu-opencl"]
    variant: str | float
    interpolation: str | float
    precision: Literal["float", "half"]
    slices_per_pass: int
    texture_eighths: int
    alu_tuning: Literal["tuned", "values", "pairs", "differences", "slopes", "floats", "halves", "half-arithmetic", "one-buffer", "many-buffers", "texture-fill", "conversion", "float-address", "z-order", "squares", "lines", "column-cache", "no-sine-cache", "unrolled", "rolled", "128-threads", "small-tile", "square-tile", "tall-tile", "short-stages", "long-stages", "three-blocks"]
    batch: int
    step_order: str | float
    flat_field: Literal["automatic", "mean", "median", "interpolated"]
    bad_pixels: float
    zingers: Literal["off", "projections", "square"]
    zinger_size: int
    zinger_threshold: float
    phase: Literal["off", "paganin"]
    phase_energy: float
    phase_distance: float
    phase_delta_beta: float
    phase_pixel: float
    log_floor: float
    air: Literal["off", "both", "left", "right"]
    air_width: int
    beam_hardening: Literal["off", "polynomial"]
    hardening_square: float
    hardening_cube: float
    rings: Literal["off", "sorting", "filtering", "fitting", "large", "dead", "wavelet", "titarenko", "all"]
    ring_size: int
    ring_large_size: int
    ring_snr: float
    ring_sigma: float
    ring_order: int
    ring_levels: int
    ring_alpha: float
    ring_blocks: int
    axis_tilt: float
    filter: Literal["ram-lak", "shepp-logan", "cosine", "hann", "hamming", "parzen", "butterworth", "none"]
    cutoff: float
    order: int
    pad: Literal["zero", "edge", "cylinder"]
    gpu_filter: Literal["own", "cufft", "cufft-real"]
    axis: str | float
    region: str | float
    slab: str | float
    plane: str | float
    device: str | float
    filter_on: Literal["auto", "gpu", "processor"]
    threads: int

class OpenOptions(TypedDict, total=False):
    angles: str | float
    angles_end_excluded: bool
    angles_column: int
    angles_radians: bool
    angles_skip: int
    angles_lines: str | float
    shifts: str | PathLike[str]
    darks: str | PathLike[str]
    flats: str | PathLike[str]
    dark_frames: str | float
    flat_frames: str | float
    sinogram: bool
    allow_outside: bool
    values: Literal["counts", "transmission", "line-integrals", "negative-line-integrals"]
    bin: int
    every: int
    leave_out: str | float
    data: str | float
    data_angles: str | float
    data_flats: str | float
    data_darks: str | float
    data_key: str | float
    data_axes: str | float
    raw: str | float
    type: Literal["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]
    big_endian: bool
    header: int
    geometry: str | float

class Scan:
    @property
    def name(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def geometry(self) -> str: ...
    @property
    def bins(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def projections(self) -> int: ...
    @property
    def slices(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def values(self) -> str: ...
    @property
    def pixel_mm(self) -> float | None: ...
    @property
    def angles(self) -> NDArray[np.float64]: ...
    @property
    def metadata(self) -> dict[str, str]: ...
    @property
    def notes(self) -> list[str]: ...

@dataclass(frozen=True)
class ConeGeometry:
    source_axis_mm: float
    source_detector_mm: float
    pixel_mm: float
    pixel_v_mm: float | None = ...
    offset_u_mm: float | None = ...
    offset_v_mm: float | None = ...
    tilt_deg: float | None = ...
    roll_deg: float | None = ...
    voxel_mm: float | None = ...
    size: int | None = ...
    slices: int | None = ...

@dataclass
class Volume:
    array: NDArray[np.float32]
    unit: str
    x: NDArray[np.float64]
    y: NDArray[np.float64]
    z: NDArray[np.float64]
    length_unit: str
    method: str
    device: str
    axis: float
    axis_source: str
    axis_confidence: float | None
    kernel_gups: float
    total_gups: float
    seconds: dict[str, float]
    notes: list[str]
    configuration: str
    voxel: tuple[float, float]
    plane: tuple[list[float], list[float], list[float], list[float]] | None
    @property
    def affine(self) -> NDArray[np.float64]: ...
    def __array__(self, dtype: Any = ..., copy: Any = ...) -> NDArray[Any]: ...

def options() -> list[dict[str, Any]]: ...
def open_options() -> list[dict[str, Any]]: ...
def methods() -> list[dict[str, str]]: ...
def open(path: str | PathLike[str], **options: Unpack[OpenOptions]) -> Scan: ...
def from_array(projections: ArrayLike, angles: ArrayLike, *, axis: float | None = ...,
               geometry: ConeGeometry | None = ..., values: str = ..., darks: ArrayLike | None = ...,
               flats: ArrayLike | None = ...) -> Scan: ...
def phantom(name: str = ..., size: int = ..., projections: int = ..., slices: int = ..., *, counts: bool = ...,
            **more: float) -> Scan: ...
def exact_image(scan: Scan, slice: int = ...) -> NDArray[np.float32] | None: ...
def read(scan: Scan, first: int = ..., count: int = ...) -> NDArray[np.float32]: ...
def prepare(scan: Scan, first: int = ..., count: int = ..., **options: Unpack[Options]) -> NDArray[np.float32]: ...
def find_axis(scan: Scan | ArrayLike, angles: ArrayLike | None = ..., **options: Unpack[Options]) -> dict[str, Any]: ...
def reconstruct(scan: Scan, slices: int | tuple[int, int] | None = ..., *, progress: Progress | None = ...,
                **options: Unpack[Options]) -> Volume: ...
def fbp(sinogram: ArrayLike, angles: ArrayLike, axis: float | str | None = ..., filter: str = ..., method: str = ...,
        *, values: str = ..., progress: Progress | None = ..., **options: Any) -> NDArray[np.float32]: ...
def fdk(projections: ArrayLike, angles: ArrayLike, geometry: ConeGeometry, *, filter: str = ..., method: str = ...,
        axis: float | str | None = ..., values: str = ..., slices: int | tuple[int, int] | None = ...,
        progress: Progress | None = ..., **options: Any) -> NDArray[np.float32]: ...
def compare(image: ArrayLike, reference: ArrayLike, disc: float | None = ...) -> dict[str, float]: ...
def benchmark(size: int = ..., projections: int = ..., methods: Sequence[str] = ..., *, geometry: str = ...,
              device: str = ..., repeat: int = ..., threads: int = ...,
              progress: Progress | None = ...) -> list[dict[str, Any]]: ...
