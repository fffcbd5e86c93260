#!/usr/bin/python3
"""Writes images of a folder as files of another format into another folder, with Pillow: convert.py FROM TO FORMAT COUNT"""
import pathlib
import sys

from PIL import Image

OPTIONS = {"png": {}, "webp": {"quality": 90}, "webp-lossless": {"lossless": True}}


def main(source, target, form, count):
    done = target / ".complete"
    if done.exists():
        return
    ending = "png" if form == "png" else "webp"
    files = sorted(source.glob("*/*.jpg"))
    for file in files[::max(1, len(files) // count)][:count]:
        folder = target / file.parent.name
        folder.mkdir(parents=True, exist_ok=True)
        Image.open(file).convert("RGB").save(folder / f"{file.stem}.{ending}", **OPTIONS[form])
    done.touch()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
