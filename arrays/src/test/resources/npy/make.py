#!/usr/bin/env python3
"""Makes the NPY and NPZ files beside it: run with NumPy 1.24 or later. Element k, counted row-major, is (37 k + 11) mod 101."""
import pathlib
import sys

import numpy as np
from numpy.lib import format as npy

HERE = pathlib.Path(__file__).resolve().parent
TYPES = ["b1", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8", "f2", "f4", "f8", "c8", "c16"]


def array(dtype, shape):
    numbers = (37 * np.arange(int(np.prod(shape))) + 11) % 101
    if dtype == "b1":
        numbers %= 2
    if dtype.startswith("c"):
        numbers = numbers + 1j * (numbers + 1)
    return numbers.astype(dtype).reshape(shape)


def save(name, values, version=None):
    with open(HERE / name, "wb") as file:
        npy.write_array(file, values, version=version)


def main():
    for dtype in TYPES:
        for order in "<>":
            for layout in "CF":
                values = array(dtype, (3, 4, 5)).astype(np.dtype(dtype).newbyteorder(order))
                save(f"{dtype}-{'le' if order == '<' else 'be'}-{layout.lower()}.npy", np.asarray(values, order=layout))
    save("scalar.npy", array("f4", ()))
    save("vector.npy", array("i4", (7,)))
    save("empty.npy", array("i4", (0, 3)))
    save("five-dimensions-f.npy", np.asfortranarray(array("i2", (2, 3, 1, 4, 2))))
    save("transposed-blocks.npy", np.asfortranarray(array("u1", (70, 3, 45))))
    for version in (1, 2, 3):
        save(f"version-{version}.npy", array("i4", (2, 3)), version=(version, 0))
    save("many-dimensions.npy", array("i4", (1,) * 31 + (6,)))     # a header of more than 127 bytes
    save("refused-structured.npy", np.zeros(2, [("a", "<f4"), ("b", "<i4")]))
    save("refused-string.npy", np.array(["a", "bc"]))
    save("refused-bytes.npy", np.array([b"a", b"bc"]))
    save("refused-date.npy", np.array(["2020-01-01"], "M8[D]"))
    save("refused-object.npy", np.array([None, 1], object))
    save("refused-raw.npy", np.zeros(2, "V3"))
    save("refused-longdouble.npy", np.zeros(2, np.longdouble))
    named = {"image": array("u1", (4, 5, 3)), "label": array("i8", ()), "fortran": np.asfortranarray(array(">f4", (3, 4)))}
    np.savez(HERE / "stored.npz", **named)
    np.savez_compressed(HERE / "deflated.npz", **named)


if __name__ == "__main__":
    sys.exit(main())
