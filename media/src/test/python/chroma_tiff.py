"""Makes TIFF files of luminance and chroma, and what libtiff makes of them, as raw numbers.

Run from the module's folder, with Pillow 12.3 and ffmpeg 5.1: python3 src/test/python/chroma_tiff.py
"""
import pathlib
import subprocess

import numpy
from PIL import Image

RESOURCES = pathlib.Path("src/test/resources")


def decoded(name):
    with Image.open(RESOURCES / f"tiff/{name}.tiff") as picture:
        assert picture.tag_v2[262] == 6
        numpy.asarray(picture.convert("RGB")).tofile(RESOURCES / "reference" / f"tiff-{name}.bin")


source = str(RESOURCES / "png/rgba-37x29.png")
for name, pixels, compression in (("420-limited", "yuv420p", "lzw"), ("411-limited", "yuv411p", "packbits")):
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", source, "-pix_fmt", pixels, "-compression_algo", compression,
                    str(RESOURCES / f"tiff/{name}.tiff")], check=True)
    decoded(name)
Image.open(source).convert("RGB").convert("YCbCr").save(
    RESOURCES / "tiff/444-709.tiff", compression="tiff_adobe_deflate", tiffinfo={529: (0.2126, 0.7152, 0.0722)})
decoded("444-709")
