# SPDX-License-Identifier: GPL-3.0-or-later
"""What the files of a reconstruction say: where the voxels lie, the key of the request, and the values."""
import ctypes
import json
import math
import struct


class Values:
    """Numbers as they are stored; code: of struct."""

    def __init__(self, code, data):
        self.code, self.data = code, data

    def __iter__(self):
        return iter(struct.unpack(f"<{len(self.data) // struct.calcsize(self.code)}{self.code}", self.data))


class Hdf5:
    """An HDF5 file, read with the library that the program uses."""

    library = None  # a ctypes.PyDLL, as the library is for one thread at a time

    def __init__(self, path):
        self.file = self.call("H5Fopen", str(path).encode(), 0, 0)

    def call(self, name, *values):
        function = getattr(self.library, name)
        function.restype = ctypes.c_int64
        return function(*(ctypes.c_int64(value) if isinstance(value, int) else value for value in values))

    def flag(self, name, *values):
        return self.call(name, *values) & 0xff

    def read(self, opened, what):
        """Returns the shape and values of an opened data set (what: "D") or attribute ("A")."""
        kind, space = self.call(f"H5{what}get_type", opened), self.call(f"H5{what}get_space", opened)
        shape = (ctypes.c_int64 * 4)()
        rank = self.flag("H5Sget_simple_extent_ndims", space)
        self.call("H5Sget_simple_extent_dims", space, shape, None)
        count, size = math.prod(shape[:rank]), self.call("H5Tget_size", kind)
        codes = {0: {2: "H", 4: "i"}, 1: {2: "e", 4: "f", 8: "d"}}.get(self.flag("H5Tget_class", kind))
        is_list = not codes and self.flag("H5Tis_variable_str", kind)
        data = (ctypes.c_char_p * count)() if is_list else ctypes.create_string_buffer(count * size)
        self.call(f"H5{what}read", opened, kind, *([0, 0, 0] if what == "D" else []), data)
        values = Values(codes[size], data.raw) if codes else [
            text.decode() for text in (data if is_list else [data.value])]
        return list(shape[:rank]), values

    def dataset(self, path):
        if not self.flag("H5Lexists", self.file, path.encode(), 0):
            return None
        return self.read(self.call("H5Dopen2", self.file, path.encode(), 0), "D")

    def attributes(self, path):
        found, name = {}, ctypes.create_string_buffer(100)
        opened = self.call("H5Oopen", self.file, path.encode(), 0)
        for number in range(self.flag("H5Aget_num_attrs", opened)):
            attribute = self.call("H5Aopen_by_idx", self.file, path.encode(), 0, 0, number, 0, 0)
            self.call("H5Aget_name", attribute, 100, name)
            found[name.value.decode()] = list(self.read(attribute, "A")[1])
        return found


def of_hdf5(path):
    """Returns the place of the volume, its key and its values."""
    file = Hdf5(path)
    shape, values = file.dataset("/entry/data/data")
    place = {"shape": shape, "axes": file.attributes("/entry/data").get("axes")}
    place.update((f"data@{name}", each) for name, each in file.attributes("/entry/data/data").items())
    for axis in "xyzuv":
        if found := file.dataset(f"/entry/data/{axis}"):
            place[axis] = f"{spaced(list(found[1]))} {file.attributes(f'/entry/data/{axis}')['units'][0]}"
    configuration = json.loads(file.dataset("/entry/reconstruction/configuration")[1][0])
    file.call("H5Fclose", file.file)
    return place, configuration["madeOf"], [values]


def spaced(values):
    step = (values[-1] - values[0]) / max(1, len(values) - 1)
    is_even = all(abs(value - values[0] - number * step) < 1e-9 for number, value in enumerate(values))
    return f"{values[0]:.7g} + {len(values)} × {step:.7g}" + ("" if is_even else f", unevenly: {values}")


def tiff(path):
    """Returns the tags and the values of an uncompressed TIFF of one page."""
    data, tags = path.read_bytes(), {}
    at, = struct.unpack_from("<I", data, 4)
    for number in range(*struct.unpack_from("<H", data, at)):
        tag, kind, count = struct.unpack_from("<HHI", data, at + 2 + 12 * number)
        form = f"<{count}s" if kind == 2 else "<" + {3: "H", 4: "I", 5: "II"}[kind] * count
        where = at + 10 + 12 * number
        if struct.calcsize(form) > 4:
            where, = struct.unpack_from("<I", data, where)
        tags[tag] = struct.unpack_from(form, data, where)
    code = {(16, 1): "H", (16, 3): "e", (32, 3): "f"}[tags[258][0], tags[339][0]]
    return tags, Values(code, b"".join(data[begin:begin + count] for begin, count in zip(tags[273], tags[279])))


def of_tiffs(paths):
    """Does the same as of_hdf5; the place is that of the slice in the middle."""
    pages = [tiff(path) for path in paths]
    tags = pages[len(pages) // 2][0]
    lines = tags[270][0].decode().rstrip("\0").split("\n")
    names = {256: "width", 257: "height", 282: "pixels per unit", 283: "rows per unit", 296: "unit"}
    place = {name: list(tags[tag]) for tag, name in names.items() if tag in tags}
    named = dict(line.split("=", 1) if "=" in line else (line, "") for line in lines if line)
    key = json.loads(named.pop("madeOf"))
    place.update((name, each) for name, each in named.items() if name not in ("program", "scan", "settings", "opened"))
    return place, key, [values for _, values in pages]


def place_key_values(folder):
    """Returns those of the only output in a folder: an HDF5 file, a TIFF, or a folder of TIFFs."""
    paths = sorted(folder.rglob("*.tif*"))
    place, key, values = of_tiffs(paths) if paths else of_hdf5(next(folder.glob("*.h5")))
    if len(paths) > 1:
        place["files"] = [paths[0].name, len(paths), paths[-1].name]
    return place, key, values


def statistics(values):
    """Returns the number of finite values, their mean, root mean square, least and largest one; and 16 samples."""
    numbers = [number for part in values for number in part]
    finite = [number for number in numbers if math.isfinite(number)]
    mean, square = (math.fsum(number ** power for number in finite) / max(1, len(finite)) for power in (1, 2))
    figures = [mean, math.sqrt(square), min(finite, default=0), max(finite, default=0)]
    samples = [numbers[int(len(numbers) * (0.6180339887 * k % 1))] for k in range(1, 17)]
    return [len(finite), *(float(f"{number:.5g}") if math.isfinite(number) else str(number)
                           for number in figures + samples)]
