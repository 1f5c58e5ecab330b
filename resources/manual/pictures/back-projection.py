#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws back-projection.png: a sinogram, and what back-projection makes of it.

Needs numpy alone. Usage: python3 back-projection.py [FILE.png]
"""
import struct
import sys
import zlib

import numpy as np

SIZE = 144         # pixels along each side of a panel, and bins
PROJECTIONS = 302  # over 180 degrees: about pi/2 times the bins
GAP = 8            # pixels between the panels
GREYS = 64         # a smaller file than 256, and no difference to the eye

# Modified Shepp-Logan phantom: half axes, centre, angle in degrees, density.
ELLIPSES = [
    (0.69, 0.92, 0, 0, 0, 1), (0.6624, 0.874, 0, -0.0184, 0, -0.8), (0.11, 0.31, 0.22, 0, -18, -0.2),
    (0.16, 0.41, -0.22, 0, 18, -0.2), (0.21, 0.25, 0, 0.35, 0, 0.1), (0.046, 0.046, 0, 0.1, 0, 0.1),
    (0.046, 0.046, 0, -0.1, 0, 0.1), (0.046, 0.023, -0.08, -0.605, 0, 0.1), (0.023, 0.023, 0, -0.606, 0, 0.1),
    (0.023, 0.046, 0.06, -0.605, 0, 0.1)]

DIGITS = {"1": "010 110 010 010 111", "2": "111 001 111 100 111", "3": "111 001 111 001 111",
          "4": "101 101 111 001 001", "5": "111 100 111 001 111"}


def sinogram_of(angles):
    """Line integrals of the phantom, one projection per row, by the formula of the ellipse."""
    t = (np.arange(SIZE) - (SIZE - 1) / 2) / (SIZE / 2)
    rows = np.zeros((len(angles), SIZE))
    for a, b, x, y, phi, density in ELLIPSES:
        for row, theta in zip(rows, angles):
            s = t - x * np.cos(theta) - y * np.sin(theta)
            r2 = (a * np.cos(theta - np.radians(phi))) ** 2 + (b * np.sin(theta - np.radians(phi))) ** 2
            row += 2 * density * a * b * np.sqrt(np.maximum(r2 - s * s, 0)) / r2
    return rows


def filtered(sinogram):
    """Every row times the ramp filter, sampled in space so that the mean survives."""
    length = 1 << (2 * SIZE - 1).bit_length()
    n = np.minimum(np.arange(length), length - np.arange(length))
    ramp = np.zeros(length)
    ramp[0] = 0.25
    ramp[n % 2 == 1] = -1 / (np.pi * n[n % 2 == 1]) ** 2
    spectrum = np.fft.rfft(sinogram, length, axis=1) * 2 * np.fft.rfft(ramp).real
    return np.fft.irfft(spectrum, length, axis=1)[:, :SIZE]


def back_projected(sinogram, angles):
    """For every pixel the sum of the bins that its rays reached, linear between bins."""
    x = np.arange(SIZE) - (SIZE - 1) / 2
    image = np.zeros((SIZE, SIZE))
    for row, theta in zip(sinogram, angles):
        bins = (SIZE - 1) / 2 + x[None, :] * np.cos(theta) - x[:, None] * np.sin(theta)
        image += np.interp(bins, np.arange(SIZE), row, left=0, right=0)
    return image / len(angles)


def grey(values, low=None, high=None):
    low = values.min() if low is None else low
    high = values.max() if high is None else high
    return np.clip((values - low) / (high - low), 0, 1)


def numbered(panel, digit):
    panel[4:24, 4:20] = 0
    for k, line in enumerate(DIGITS[digit].split()):
        for j, dot in enumerate(line):
            if dot == "1":
                panel[7 + 3 * k:10 + 3 * k, 8 + 3 * j:11 + 3 * j] = 1
    return panel


def write_png(path, image):
    """8-bit grey."""
    height, width = image.shape
    levels = np.round(np.round(image * (GREYS - 1)) * 255 / (GREYS - 1)).astype(np.uint8)
    rows = np.concatenate([np.zeros((height, 1), np.uint8), levels], axis=1).tobytes()

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def main():
    angles = np.pi * np.arange(PROJECTIONS) / PROJECTIONS
    sinogram = sinogram_of(angles)
    rows = np.round(np.linspace(0, PROJECTIONS - 1, SIZE)).astype(int)  # as high as the other panels
    few = np.round(np.arange(8) * PROJECTIONS / 8).astype(int)
    one = few[1:2]
    panels = [
        grey(sinogram[rows]),
        grey(back_projected(sinogram[one], angles[one]), low=0),
        grey(back_projected(sinogram[few], angles[few]), low=0),
        grey(back_projected(sinogram, angles), low=0),
        grey(back_projected(filtered(sinogram), angles), *np.array([-0.02, 0.44]) / (np.pi / 2) * 2 / SIZE),
    ]
    gap = np.ones((SIZE, GAP))
    strip = []
    for k, panel in enumerate(panels):
        strip += [gap] * (k > 0) + [numbered(panel, str(k + 1))]
    write_png(sys.argv[1] if len(sys.argv) > 1 else "back-projection.png", np.concatenate(strip, axis=1))


if __name__ == "__main__":
    main()
