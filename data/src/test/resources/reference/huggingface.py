"""Writes huggingface.zip, and the file for the tests of Parquet, with Hugging Face's datasets 5.0: a dataset of two splits that was
saved, and its training split as Parquet. Sample k is a function of k, which the tests repeat."""
import io
import pathlib
import shutil
import tempfile
import zipfile

from datasets import ClassLabel, Dataset, DatasetDict, Features, Image, Sequence, Value
from PIL import Image as Picture

HERE = pathlib.Path(__file__).resolve().parent
FEATURES = Features({"image": Image(), "label": ClassLabel(names=["ant", "bee", "cat"]), "boxes": Sequence(Sequence(Value("float32"))),
                     "caption": Value("string")})


def rows():
    for k in range(6):
        yield {"image": Picture.new("RGB", (8 + k, 8), (k * 20, 0, 100)), "label": k % 3, "boxes": [[k, 1.5], [2.0, 3.0]],
               "caption": None if k == 2 else "é" * k}


with tempfile.TemporaryDirectory() as made:
    made = pathlib.Path(made)
    train = Dataset.from_generator(rows, features=FEATURES, cache_dir=str(made / "cache"))
    DatasetDict({"train": train, "test": train.select(range(2))}).save_to_disk(str(made / "saved"))
    train.to_parquet(str(made / "train.parquet"))
    shutil.copy(made / "train.parquet", HERE.parents[4] / "parquet/src/test/resources/reference/huggingface.parquet")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for file in sorted(path for path in (made / "saved").rglob("*") if path.is_file()):
            archive.writestr(zipfile.ZipInfo(str(file.relative_to(made)), (2026, 11, 28, 0, 0, 0)), file.read_bytes(), zipfile.ZIP_DEFLATED)
    (HERE / "huggingface.zip").write_bytes(packed.getvalue())
