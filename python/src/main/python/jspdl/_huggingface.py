"""Datasets of Hugging Face's library as sources: folders that it saved, Parquet as on the hub, and its objects."""
import json
import os
import re
from typing import Any, Dict, List, Optional

from . import _helpers
from ._errors import PlanError
from ._loader import Loader

SHARD = re.compile(r"(?P<split>.+?)-\d{5}-of-\d{5}.*\.(?P<kind>arrow|parquet)$")
MOST_BYTES = 64 << 20       # of a footer


def from_huggingface(dataset: Any, *, split: Optional[str] = None, **options: Any) -> Loader:
    """A dataset of Hugging Face's library: `jspdl.from_huggingface("saved", batch_size=64, shuffle=True, seed=1)`.

    dataset: a folder saved by `save_to_disk`, of one dataset or of several splits; a folder of Parquet files as on the hub; or a `datasets.Dataset`
        whose rows are those of its Arrow files, in their order. What was selected, shuffled, mapped or given another format is refused: save it before.
    split: which one, where there are several; None for "train".
    options: of `jspdl.images` if the features have an image, else of `jspdl.shards`, whose texts are read without being named.
    """
    pattern, features = of_path(dataset, split) if isinstance(dataset, (str, os.PathLike)) else of_object(dataset, split)
    kinds = {name: feature.get("_type") for name, feature in features.items() if isinstance(feature, dict)}
    if "Image" in kinds.values():
        return _helpers.images(pattern, **options)
    texts = [name for name, feature in features.items() if isinstance(feature, dict) and feature.get("dtype") in ("string", "large_string")]
    wanted = options.get("columns")
    loaded: Dict[str, Any] = {"text": [name for name in texts if wanted is None or name in wanted], **options}
    return _helpers.shards(pattern, **loaded)


def of_path(path, split):
    """The pattern of the files of a split, and what is known of their features."""
    folder = os.path.abspath(os.fspath(path))
    if not os.path.isdir(folder):
        raise PlanError(f"from_huggingface: there is no folder at {folder}")
    if os.path.isfile(os.path.join(folder, "dataset_dict.json")):
        splits = read(os.path.join(folder, "dataset_dict.json")).get("splits") or []
        return of_path(os.path.join(folder, chosen(splits, split, folder)), None)
    if os.path.isfile(os.path.join(folder, "state.json")):
        if split is not None:
            raise PlanError(f"{folder} is a dataset without splits: leave out split=")
        return of_files(folder, saved_files(folder), info(folder))
    found = [folder, os.path.join(folder, "data")]
    for place in found:
        names = sorted(os.listdir(place)) if os.path.isdir(place) else []
        shards: Dict[str, List[str]] = {}
        for name in names:
            match = SHARD.match(name)
            if match:
                shards.setdefault(match["split"], []).append(name)
        if shards:
            return of_files(place, shards[chosen(list(shards), split, place)], info(folder))
    raise PlanError(f"{folder} is no dataset of Hugging Face's library: it has neither state.json, nor dataset_dict.json, nor files such as"
                    " train-00000-of-00001.parquet or data/train-00000-of-00001.parquet")


def saved_files(folder):
    state = read(os.path.join(folder, "state.json"))
    if state.get("_indices_data_files"):
        raise PlanError(f"{folder} has its rows in another order than its files: dataset.flatten_indices() before save_to_disk writes them so")
    files = [entry.get("filename") for entry in state.get("_data_files") or [] if isinstance(entry, dict)]
    if not files or not all(isinstance(name, str) and name == os.path.basename(name) for name in files):
        raise PlanError(f"{folder}/state.json names no files of this folder")
    return files


def of_object(dataset, split):
    """The same of a `datasets.Dataset` whose rows are those of its files."""
    if isinstance(dataset, dict) and hasattr(dataset, "save_to_disk"):
        return of_object(dataset[chosen(list(dataset), split, "the DatasetDict")], None)
    if not (hasattr(dataset, "cache_files") and hasattr(dataset, "features") and hasattr(dataset, "num_rows")):
        raise PlanError(f"from_huggingface takes a folder or a datasets.Dataset but was given {type(dataset).__qualname__}")
    if split is not None:
        raise PlanError("a datasets.Dataset is one split already: leave out split=")
    files = [entry["filename"] for entry in dataset.cache_files]
    save = "save it first: dataset.save_to_disk(folder), then jspdl.from_huggingface(folder)"
    if not files:
        raise PlanError(f"the dataset is in memory, not in files: {save}")
    if getattr(dataset, "_indices", None) is not None or len(set(files)) < len(files):
        raise PlanError(f"the dataset has a selection or an order of its files' rows: {save}")
    if dataset.format["type"] is not None or set(dataset.format["columns"]) != set(dataset.column_names):
        raise PlanError(f"the dataset has a format, which would be left out ({dataset.format['type']}): {save}")
    rows, columns = rows_of(files)
    if rows != dataset.num_rows or columns != list(dataset.column_names):
        raise PlanError(f"the dataset has {dataset.num_rows} rows of {list(dataset.column_names)}, but its files have {rows} of {columns}: {save}")
    folders = {os.path.dirname(name) for name in files}
    if len(folders) > 1:
        raise PlanError(f"the dataset's files lie in {len(folders)} folders: {save}")
    return of_files(folders.pop(), [os.path.basename(name) for name in files], dataset.features.to_dict())


def rows_of(files):
    """How many rows Arrow files have together, and the columns of all."""
    from pyarrow import ipc, memory_map
    rows, columns = 0, None
    for name in files:
        with memory_map(name) as mapped, ipc.open_stream(mapped) as stream:
            columns = stream.schema.names if columns in (None, stream.schema.names) else []
            rows += sum(batch.num_rows for batch in stream)
    return rows, columns


def of_files(folder, files, features):
    """A pattern that stands for these files and no others of the folder."""
    if len(files) == 1:
        return os.path.join(folder, files[0]), features or of_parquet(os.path.join(folder, files[0]))
    match = SHARD.match(files[0])
    pattern = f"{match['split']}-*.{match['kind']}" if match else "*.arrow"
    meant = re.compile(re.escape(pattern).replace(r"\*", ".*") + "$")
    others = [name for name in os.listdir(folder) if meant.match(name) and name not in files]
    if others or not all(meant.match(name) for name in files) or files != sorted(files):
        raise PlanError(f"{folder}: {pattern} does not name the dataset's {len(files)} files alone, in their order ({sorted(others)[:3]} are there, too)")
    return os.path.join(folder, pattern), features or of_parquet(os.path.join(folder, files[0]))


def info(folder):
    path = os.path.join(folder, "dataset_info.json")
    return (read(path).get("features") or {}) if os.path.isfile(path) else {}


def of_parquet(path):
    """The features that the library notes in the footer of a Parquet file; empty if it did not write it."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if not path.endswith(".parquet") or size < 12:
            return {}
        file.seek(size - 8)
        length = int.from_bytes(file.read(4), "little")
        if file.read(4) != b"PAR1" or not 0 < length <= min(size - 12, MOST_BYTES):
            return {}
        file.seek(size - 8 - length)
        footer = file.read(length)
    begin = footer.find(b'{"info"', max(0, footer.find(b"huggingface")))
    try:
        noted, _ = json.JSONDecoder().raw_decode(footer[begin:].decode("utf-8", "replace")) if begin >= 0 else ({}, 0)
    except ValueError:
        return {}
    return noted.get("info", {}).get("features") or {}


def chosen(splits, split, where):
    """The split to load."""
    wanted = split if split is not None else splits[0] if len(splits) == 1 else "train"
    if wanted not in splits:
        raise PlanError(f"{where} has no split {wanted!r}, only {', '.join(map(repr, splits))}: say split=")
    return wanted


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError) as failure:
        raise PlanError(f"{path} cannot be read: {failure}") from failure
    if not isinstance(found, dict):
        raise PlanError(f"{path} holds no object")
    return found
