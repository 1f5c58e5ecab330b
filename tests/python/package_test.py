# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package against known images, and with everything that users hand over by mistake."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings

import numpy as np

import sinoscope


def disc_sinogram(bins=128, projections=180, axis=None, radius=40.0, density=0.01):
    """Line integrals of a disc around the axis, the same from everywhere."""
    axis = (bins - 1) / 2 if axis is None else axis
    away = np.abs(np.arange(bins) - axis)
    chord = 2 * np.sqrt(np.maximum(0, radius**2 - away**2)) * density
    angles = np.pi * np.arange(projections) / projections
    return np.tile(chord.astype(np.float32), (projections, 1)), angles


class Arrays(unittest.TestCase):
    def test_values_lie_one_after_another(self):
        probe = sinoscope._engine.probe()
        self.assertEqual(probe.strides, (12, 4))
        self.assertEqual(probe.tolist(), [[0, 1, 2], [3, 4, 5]])
        scan = sinoscope.phantom("shepp-logan", 64, 90, 2)
        self.assertEqual(scan.angles.strides, (8,))
        self.assertEqual(sinoscope.read(scan, 0, 2).strides, (512, 256, 4))
        self.assertGreater(np.unique(sinoscope.reconstruct(scan).array).size, 1000)


class Fbp(unittest.TestCase):
    def test_a_disc_has_its_density(self):
        sinogram, angles = disc_sinogram()
        image = sinoscope.fbp(sinogram, angles, axis="middle")
        self.assertEqual(image.shape, (128, 128))
        self.assertEqual(image.dtype, np.float32)
        self.assertAlmostEqual(float(image[54:74, 54:74].mean()), 0.01, delta=1e-4)

    def test_equals_the_scan_bit_for_bit(self):
        scan = sinoscope.phantom("shepp-logan", 96, 120, 3, counts=False)
        rows = sinoscope.read(scan, 0, 3)
        volume = sinoscope.reconstruct(scan)
        again = sinoscope.fbp(rows, scan.angles, axis=volume.axis)
        np.testing.assert_array_equal(again, volume.array)
        np.testing.assert_array_equal(sinoscope.fbp(rows[:, 1], scan.angles, axis=volume.axis), volume.array[1])

    def test_exact_method_is_near_the_exact_image(self):
        scan = sinoscope.phantom("shepp-logan", 128, 400, counts=False)
        image = sinoscope.reconstruct(scan, 0, method="exact").array[0]
        figures = sinoscope.compare(image, sinoscope.exact_image(scan), disc=0.98)
        self.assertLess(figures["rmse"], 0.1 * sinoscope.exact_image(scan).max())
        self.assertGreater(figures["ssim"], 0.6)

    def test_types_and_orders(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        expected = sinoscope.fbp(sinogram, angles, axis="middle")
        read_only = sinogram.copy()
        read_only.flags.writeable = False
        spread = np.zeros((90, 128), np.float32)
        spread[:, ::2] = sinogram
        for given in (np.asfortranarray(sinogram), read_only, sinogram[::-1][::-1], spread[:, ::2],
                      sinogram.astype(np.float64), sinogram.astype(">f4"), sinogram.tolist()):
            np.testing.assert_array_equal(sinoscope.fbp(given, list(angles), axis="middle"), expected)
        whole = np.round(sinogram * 1000).astype(np.uint16)
        np.testing.assert_allclose(sinoscope.fbp(whole, angles, axis="middle"), 1000 * expected, atol=1)

    def test_arrays_are_neither_copied_in_nor_out(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        scan = sinoscope.from_array(sinogram, angles)
        sinogram[0, 0] = 77  # only to see it arrive; a scan in use must not be changed
        self.assertEqual(sinoscope.read(scan)[0, 0, 0], 77)
        volume = sinoscope.reconstruct(scan, axis="middle")
        self.assertFalse(volume.array.flags.owndata)  # it is the memory that the engine filled
        self.assertTrue(volume.array.flags.writeable)

    def test_nothing_finite(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        sinogram[:] = np.nan
        try:
            self.assertFalse(np.isfinite(sinoscope.fbp(sinogram, angles, axis="middle")).any())
        except sinoscope.Error as error:
            self.assertTrue(str(error))


class Scans(unittest.TestCase):
    def test_axis(self):
        scan = sinoscope.phantom("shepp-logan", 256, 300, axis_offset=7.25, counts=False)
        found = sinoscope.find_axis(scan)
        self.assertAlmostEqual(found["bins"], 127.5 + 7.25, delta=0.3)
        self.assertGreater(found["confidence"], 0.5)
        self.assertTrue(any(each.get("agrees") for each in found["candidates"]))
        again = sinoscope.find_axis(sinoscope.read(scan)[:, 0], scan.angles)
        self.assertAlmostEqual(again["bins"], found["bins"], delta=0.1)

    def test_guesses_warn(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        holed = sinogram.copy()
        holed[:, 30] = np.nan
        for call, text in ((lambda: sinoscope.fbp(sinogram, np.degrees(angles), axis="middle"), "np.radians"),
                           (lambda: sinoscope.fbp(holed, angles, axis="middle"), "not numbers"),
                           (lambda: sinoscope.fbp(100 * np.exp(-sinogram), angles, axis="middle", values="counts"), "flat field")):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            self.assertTrue(any(text in str(each.message) for each in caught), [str(each.message) for each in caught])

    def test_a_doubtful_axis_warns(self):
        angles = np.pi * np.arange(90) / 90
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            sinoscope.fbp(np.random.default_rng(1).normal(1, 1, (90, 64)).astype(np.float32), angles)
        self.assertTrue(caught)
        texts = [str(each.message) for each in caught]
        self.assertEqual(len(texts), len(set(texts)))  # each once
        self.assertEqual({each.filename for each in caught}, {__file__})

    def test_counts_are_prepared(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        flats, darks = np.full((4, 64), 5000, np.uint16), np.full((2, 64), 100, np.uint16)
        counts = np.round(100 + 4900 * np.exp(-sinogram)).astype(np.uint16)
        scan = sinoscope.from_array(counts, angles, values="counts", darks=darks, flats=flats)
        prepared = sinoscope.prepare(scan)
        self.assertEqual(prepared.shape, (1, 90, 64))
        np.testing.assert_allclose(prepared[0], sinogram, atol=5e-4)

    def test_cone_of_a_ball(self):
        geometry = sinoscope.ConeGeometry(source_axis_mm=200, source_detector_mm=400, pixel_mm=1)
        size, projections, radius, density = 64, 180, 12.0, 0.02
        u = np.arange(size) - (size - 1) / 2
        grid_u, grid_v = np.meshgrid(u, u)
        closest = 200 * np.sqrt(grid_u**2 + grid_v**2) / np.sqrt(grid_u**2 + grid_v**2 + 400**2)  # ray to the middle
        view = 2 * density * np.sqrt(np.maximum(0, radius**2 - closest**2))
        stack = np.tile(view.astype(np.float32), (projections, 1, 1))
        angles = 2 * np.pi * np.arange(projections) / projections
        volume = sinoscope.fdk(stack, angles, geometry, axis="middle")
        self.assertEqual(volume.shape, (64, 64, 64))
        self.assertAlmostEqual(float(volume[28:36, 28:36, 28:36].mean()), density, delta=0.02 * density)

    def test_files(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sinogram.npy")
            np.save(path, sinogram[:, None, :])
            scan = sinoscope.open(path, angles="0:180", values="line-integrals", angles_end_excluded=True)
            self.assertEqual((scan.projections, scan.bins, scan.rows), (90, 64, 1))
            np.testing.assert_array_equal(sinoscope.reconstruct(scan, axis="middle").array[0],
                                          sinoscope.fbp(sinogram, scan.angles, axis="middle"))
            with self.assertRaises(sinoscope.FileError) as caught:
                sinoscope.open(os.path.join(folder, "missing.h5"))
            self.assertIn("missing.h5", str(caught.exception))

    def test_where_voxels_lie(self):
        scan = sinoscope.phantom("shepp-logan", 64, 90, 4, counts=False)
        volume = sinoscope.reconstruct(scan, (1, 3))
        self.assertEqual(volume.array.shape, (2, 64, 64))
        self.assertEqual(len(volume.z), 2)
        for part in ((1, 3), 1):  # z points up, however many slices there are
            self.assertEqual(sinoscope.reconstruct(scan, part).affine[2, 0], volume.z[1] - volume.z[0])
        self.assertEqual(volume.voxel, (volume.x[1] - volume.x[0], volume.z[0] - volume.z[1]))
        place = volume.affine @ [1, 5, 9, 1]
        np.testing.assert_allclose(place[:3], [volume.x[9], volume.y[5], volume.z[1]])
        self.assertEqual(np.asarray(volume).shape, (2, 64, 64))
        # x to the right, y up, z up: columns, rows upwards and slices upwards make a right-handed system.
        self.assertTrue(volume.x[1] > volume.x[0] and volume.y[1] < volume.y[0] and volume.z[1] < volume.z[0])
        self.assertIsNone(volume.plane)
        helper = os.path.join(os.path.dirname(sinoscope.__file__), "sinoscope-check")
        self.assertTrue(os.access(helper, os.X_OK))


    def test_where_pixels_of_planes_lie(self):
        scan = sinoscope.phantom("shepp-logan", 64, 90, 4, counts=False)
        volume = sinoscope.reconstruct(scan)

        def position(column, row, slice):
            return volume.affine @ [slice, row, column, 1]

        column, row = 9, 2  # of the plane's image
        for plane, voxel in (("x=20", (20, column, row)), ("y=30", (column, 30, row)), ("z=3", (column, row, 3)),
                             ("centre=30,31,1;u=0.6,0.8,0;v=0,0,1;width=11;height=3;pixel=0.5",
                              (30 + 0.6 * 2, 31 + 0.8 * 2, 1.5))):
            made = sinoscope.reconstruct(scan, plane=plane)
            np.testing.assert_allclose(made.affine @ [0, row, column, 1], position(*voxel), atol=1e-9, err_msg=plane)
        np.testing.assert_allclose(sinoscope.reconstruct(scan, plane="z=3").affine,
                                   sinoscope.reconstruct(scan, 3).affine, atol=1e-9)


class Mistakes(unittest.TestCase):
    def raises(self, text, call, kind=sinoscope.Error):
        with self.assertRaises(kind) as caught:
            call()
        self.assertIn(text, str(caught.exception))

    def test_each_says_what_is_wrong(self):
        sinogram, angles = disc_sinogram(64, 90, radius=20)
        fbp = sinoscope.fbp
        self.raises("89 angles for 90 projections", lambda: fbp(sinogram, angles[:-1]), ValueError)
        self.raises("[projection][bin]", lambda: fbp(sinogram[0], angles))
        self.raises("[projection][bin]", lambda: fbp(np.zeros((0, 64), np.float32), []))
        self.raises("complex", lambda: fbp(sinogram.astype(complex), angles), TypeError)
        self.raises("numbers", lambda: fbp(np.array([["a", "b"]]), [0.0]), TypeError)
        self.raises("numbers", lambda: fbp(np.array([[None]]), [0.0]), TypeError)
        self.raises("one number per projection", lambda: fbp(sinogram, angles[:, None]))
        self.raises("projection 3", lambda: fbp(sinogram, np.where(np.arange(90) == 3, np.nan, angles)))
        self.raises("nonsense", lambda: fbp(sinogram, angles, method="nonsense"))
        self.raises("`filter`", lambda: fbp(sinogram, angles, filter="nonsense"))
        self.raises("transposed", lambda: fbp(sinogram.T, angles))
        self.raises("ConeGeometry", lambda: sinoscope.fdk(sinogram, angles, None), TypeError)
        self.raises("ConeGeometry", lambda: sinoscope.fdk(sinogram, angles, "cone"), TypeError)
        self.raises("a scan is needed", lambda: sinoscope.reconstruct(sinogram), TypeError)
        self.raises("a function", lambda: fbp(sinogram, angles, progress=5), TypeError)
        self.raises("must lie behind", lambda: sinoscope.reconstruct(sinoscope.phantom(size=32, projections=30), (1, 0)))
        self.raises("rings", lambda: fbp(sinogram, angles, ring_removal="vo"), TypeError)
        self.raises("interpolation", lambda: fbp(sinogram, angles, interpolaton="cubic"), TypeError)
        self.raises("slice 5", lambda: sinoscope.reconstruct(sinoscope.phantom(size=32, projections=30), 5))
        self.raises("values='counts'", lambda: sinoscope.from_array(sinogram, angles, darks=sinogram, flats=sinogram))
        self.raises("not an array", lambda: sinoscope.open("scan.h5", angles=angles), TypeError)
        self.raises("whole number", lambda: sinoscope.phantom(size=32.5), TypeError)
        self.raises("a scan is needed", lambda: sinoscope.find_axis("scan.h5"), TypeError)
        self.raises("same size", lambda: sinoscope.compare(sinogram, sinogram[:-1]))
        self.raises("flats of", lambda: sinoscope.from_array(sinogram, angles, values="counts", flats=sinogram[:, :-1]))
        geometry = sinoscope.ConeGeometry(source_axis_mm=-1, source_detector_mm=400, pixel_mm=1)
        self.raises("-1", lambda: sinoscope.from_array(sinogram, angles, geometry=geometry))

    def test_progress_that_fails_ends_the_call(self):
        scan = sinoscope.phantom("shepp-logan", 512, 512, counts=False)

        def fail(stage, fraction):
            raise KeyError(stage)

        with self.assertRaises(KeyError):
            sinoscope.reconstruct(scan, 0, method="exact", progress=fail)


class Threads(unittest.TestCase):
    def test_several_at_once(self):
        sinogram, angles = disc_sinogram()
        expected = sinoscope.fbp(sinogram, angles, axis="middle")
        images = [None] * 4

        def work(k):
            images[k] = sinoscope.fbp(sinogram, angles, axis="middle")

        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for image in images:
            np.testing.assert_array_equal(image, expected)

    def test_a_child_after_fork(self):
        sinogram, angles = disc_sinogram()
        sinoscope.fbp(sinogram, angles, axis="middle")
        child = os.fork()
        if child == 0:
            signal.alarm(60)  # ends a child that waits for a thread of its parent
            try:
                sinoscope.fbp(sinogram, angles, axis="middle")
            except sinoscope.Error as error:
                os._exit(0 if "spawn" in str(error) else 1)
            os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)

    def test_children_of_a_parent_that_did_nothing(self):
        program = ("import os, numpy, sinoscope\n"
                   "if os.fork() == 0:\n"
                   "    angles = numpy.pi * numpy.arange(90) / 90\n"
                   "    made = sinoscope.fbp(numpy.ones((90, 64), 'f4'), angles, axis='middle')\n"
                   "    os._exit(made.shape != (64, 64))\n"
                   "raise SystemExit(os.wait()[1])")
        self.assertEqual(subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode, 0)

    def test_after_an_error(self):
        sinogram, angles = disc_sinogram()
        for _ in range(3):
            with self.assertRaises(sinoscope.Error):
                sinoscope.open("missing.h5")
            self.assertEqual(sinoscope.fbp(sinogram, angles, axis="middle").shape, (128, 128))

    def test_control_c(self):
        # A process that a shell started in the background ignores the signal.
        self.addCleanup(signal.signal, signal.SIGINT, signal.signal(signal.SIGINT, signal.default_int_handler))
        scan = sinoscope.phantom("shepp-logan", 1024, 3000, counts=False)
        began = threading.Event()

        def interrupt():
            began.wait()
            os.kill(os.getpid(), signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        with self.assertRaises(KeyboardInterrupt):
            sinoscope.reconstruct(scan, 0, method="exact", progress=lambda stage, fraction: began.set())
            time.sleep(5)
        thread.join()
        self.assertEqual(sinoscope.reconstruct(sinoscope.phantom(size=32, projections=30), 0).array.shape, (1, 32, 32))


class Tables(unittest.TestCase):
    def test_methods_and_options(self):
        self.assertIn("cpu", [method["id"] for method in sinoscope.methods()])
        for row in sinoscope.options():
            self.assertIn(row["id"].replace("-", "_"), sinoscope.reconstruct.__doc__)
        for row in sinoscope.open_options():
            self.assertIn(row["id"].replace("-", "_"), sinoscope.open.__doc__)

    def test_benchmark(self):
        rows = sinoscope.benchmark(64, 64, ["cpu"], device="cpu", repeat=1)
        self.assertTrue(rows and all(row["kernel_gups"] > 0 for row in rows))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + ["-v"])
