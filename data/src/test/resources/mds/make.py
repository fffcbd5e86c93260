"""Writes reference.zip, with MosaicML's Streaming (the writer of its commit 89e7bb90), NumPy and Pillow: a shard of
every encoding, as it is and compressed by zstd. Sample k is a function of k, which the test repeats."""
import io
import json
import pathlib
import tempfile
import zipfile
from decimal import Decimal

import numpy as np
from PIL import Image
from streaming import MDSWriter

NUMBERS = ["uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
FLOATS = ["float16", "float32", "float64"]
COLUMNS = {
    "bytes": "bytes", "text": "str", "int": "int", "digits": "str_int", "real": "str_float", "decimal": "str_decimal", "json": "json",
    "jpeg": "jpeg", "png": "png", "pixels": "pil", "any": "ndarray", "floats": "ndarray:float32", "fixed": "ndarray:int16:2,3",
    "jpegs": "jpeg_array", "jpeglist": "list[jpeg]", "pnglist": "list[png]",
    **{name: name for name in NUMBERS + FLOATS},
}


def encoded(kind, k):
    out = io.BytesIO()
    Image.new("RGB", (8 + k, 8), (k * 20, 0, 100)).save(out, kind)
    return out.getvalue()


def sample(k):
    return {
        "bytes": bytes(range(k)), "text": "é" * k, "int": -k * (1 << 40), "digits": 10 ** 30 + k, "real": k / 4, "decimal": Decimal("1.50"),
        "json": {"a": [k, None]}, "jpeg": Image.new("RGB", (8 + k, 8)), "png": Image.new("RGBA", (8, 8), (k, 2, 3, 4)),
        "pixels": Image.new("L", (5, 3), k), "any": np.arange(300 * (k + 1), dtype=np.uint16).reshape(300, -1),
        "floats": np.arange(k + 1, dtype=np.float32) / 4, "fixed": np.full((2, 3), -k, np.int16),
        "jpegs": [encoded("JPEG", i) for i in range(k + 1)], "jpeglist": [Image.new("RGB", (8 + i, 8)) for i in range(k)],
        "pnglist": [Image.new("RGB", (8 + i, 8)) for i in range(k)],
        **{name: np.iinfo(name).max - k if k % 2 else np.iinfo(name).min + k for name in NUMBERS},
        **{name: (k - 2) / 4 for name in FLOATS},
    }


with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(pathlib.Path(__file__).parent / "reference.zip", "w", zipfile.ZIP_DEFLATED) as kept:
    for name, compression in (("plain", None), ("zstd", "zstd:7")):
        with MDSWriter(out=f"{folder}/{name}", columns=COLUMNS, compression=compression, hashes=["sha1"], size_limit=20_000) as writer:
            for k in range(6):
                writer.write(sample(k))
        for file in sorted(pathlib.Path(folder, name).iterdir()):
            kept.writestr(zipfile.ZipInfo(f"{name}/{file.name}"), file.read_bytes(), zipfile.ZIP_DEFLATED)
    kept.writestr(zipfile.ZipInfo("jpegs.json"), json.dumps([encoded("JPEG", i).hex() for i in range(6)]), zipfile.ZIP_DEFLATED)
