# SPDX-License-Identifier: GPL-3.0-or-later
# Part of `benchmark --beside` (engine/measure/others.h). Reads sinogram.f32 in the folder given, and prints one line of
# JSON for each program; the image goes to image_N.f32. Python is isolated (-I), and so leaves out the folders of
# PYTHONPATH and the user's own packages. They belong to the environment, so the script adds them again where Python
# would, between its own modules and the installed packages.
import json
import os
import site
import sys
import time

usual = list(sys.path)
added = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]
if sys.base_prefix in site.PREFIXES and "PYTHONNOUSERSITE" not in os.environ:
    site.addsitedir(site.getusersitepackages())
    added += [path for path in sys.path if path not in usual]
first = next((k for k, path in enumerate(usual) if path.endswith("-packages")), len(usual))
sys.path[:] = usual[:first] + added + usual[first:]

try:
    import numpy
except ImportError:
    print(json.dumps({"fatal": "it has no numpy"}))
    sys.exit(0)

folder, size, projections, repeat = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
sinogram = numpy.fromfile(os.path.join(folder, "sinogram.f32"), "<f4").reshape(projections, size)
angles = numpy.arange(projections) * numpy.pi / projections


def scikit_image():
    import skimage
    from skimage.transform import iradon
    degrees, columns = numpy.degrees(angles), numpy.ascontiguousarray(sinogram.T)

    def run():
        return iradon(columns, theta=degrees, filter_name="ramp", interpolation="linear", circle=True)
    return f"scikit-image {skimage.__version__}", "one core", run


def astra_on(kind, device):
    import astra
    if kind == "FBP_CUDA" and not astra.use_cuda():
        raise ImportError("no GPU")
    geometry = astra.create_proj_geom("parallel", 1.0, size, angles)
    grid = astra.create_vol_geom(size, size)

    def run():
        data, result = astra.data2d.create("-sino", geometry, sinogram), astra.data2d.create("-vol", grid)
        config = astra.astra_dict(kind)
        config.update(ProjectionDataId=data, ReconstructionDataId=result)
        projector = None
        if kind == "FBP":
            projector = astra.create_projector("linear", geometry, grid)
            config["ProjectorId"] = projector
        algorithm = astra.algorithm.create(config)
        astra.algorithm.run(algorithm)
        image = astra.data2d.get(result)
        astra.algorithm.delete(algorithm)
        astra.data2d.delete([data, result])
        if projector is not None:
            astra.projector.delete(projector)
        return image
    return f"ASTRA {astra.__version__}, {kind}", device, run


def astra_processor():
    return astra_on("FBP", "one core")


def astra_gpu():
    return astra_on("FBP_CUDA", "GPU")


def silx():
    import silx
    from silx.opencl.backprojection import Backprojection
    projector = Backprojection(sinogram.shape, angles=angles)
    return f"silx {silx.version}", projector.device.name, lambda: projector.filtered_backprojection(sinogram)


def tomopy():
    import tomopy
    rows = sinogram[:, None, :]

    def run():
        return tomopy.recon(rows, angles, center=(size - 1) / 2, algorithm="gridrec", filter_name="ramlak")[0]
    return f"tomopy {tomopy.__version__}, gridrec", "all cores", run


def say(**values):
    print(json.dumps(values), flush=True)


found = []
for make in (scikit_image, astra_processor, astra_gpu, silx, tomopy):
    try:
        found.append(make())
    except ImportError:
        pass
    except Exception as problem:
        say(name=make.__name__, problem=f"it can't be used: {problem}")
say(turns=len(found) * (repeat + 1))
for number, (name, device, run) in enumerate(found):
    try:
        seconds = []
        for turn in range(repeat + 1):
            begin = time.perf_counter()
            image = run()
            if turn:
                seconds.append(time.perf_counter() - begin)
            say(turn=turn)
        numpy.ascontiguousarray(image, "<f4").tofile(os.path.join(folder, f"image_{number}.f32"))
        say(name=name, device=device, seconds=seconds, image=f"image_{number}.f32")
    except Exception as problem:
        say(name=name, problem=f"it failed: {problem}")
