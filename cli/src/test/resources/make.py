"""Writes images.parquet, with Pillow and pyarrow: 10 small JPEGs with labels, in two row groups."""
import io
import pathlib

import pyarrow
import pyarrow.parquet
from PIL import Image


def jpeg(number):
    content = io.BytesIO()
    Image.new("RGB", (40 + number, 40), (20 * number, 100, 255 - 20 * number)).save(content, "JPEG")
    return content.getvalue()


table = pyarrow.table({
    "image": pyarrow.array([jpeg(i) for i in range(10)], pyarrow.binary()),
    "label": pyarrow.array([i % 3 for i in range(10)], pyarrow.int64()),
    "caption": pyarrow.array([f"picture {i}" for i in range(10)], pyarrow.string()),
})
pyarrow.parquet.write_table(table, pathlib.Path(__file__).parent / "images.parquet", row_group_size=6)
