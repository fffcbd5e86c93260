"""Loaders from keyword arguments, for the usual cases: each makes a plan, and `jspdl.plan` loads it."""
import math
import os
from typing import Any, Dict, List, Optional, Sequence, Union

from . import _balance, _orders, _pixels
from ._errors import PlanError
from ._loader import Loader
from ._options import checked, flag
from ._orders import ORDERING
from ._plans import Weighed, choice, number, plan, whole
from ._tokens import token_of

Path = Union[str, "os.PathLike[str]"]
SLOT_BYTES = 256 << 20
MOST_IMAGES = 1 << 16       # of a batch
SMALL_BYTES = 1 << 20       # labels and the like, behind the images
SHARDS = (".tar", ".tar.gz", ".tgz", ".parquet", ".arrow", ".mds", ".mds.zstd", ".tfrecord", ".tfrecords", ".jsonl", ".ndjson",
          ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst", ".npy", ".npz")
ORDERS = ("input", "completion")
EVEN = ("count", "stop-together", "repeat", "uneven")
READING = ("even", "cache", "cache_size", "storage")
LABELS = "labels"


@checked(plan, *READING, *ORDERING, LABELS)
def images(path: Optional[Path] = None, *, size: Union[int, Sequence[int]] = 224, resize: Optional[int] = None, batch_size: int = 64,
           shuffle: bool = False, seed: int = 0, random_crop: Union[bool, int] = False,
           random_resized_crop: Union[bool, dict] = False, flip: Union[bool, float] = False,
           color_jitter: Optional[_pixels.Jitter] = None, grayscale: float = 0, mean: Optional[Sequence[float]] = None,
           std: Optional[Sequence[float]] = None, layout: str = "nchw", dtype: str = "float32",
           interpolation: str = "bilinear", drop_last: bool = False, workers: Optional[int] = None, order: str = "input",
           max_failures: Union[int, float, None] = None, isolation: str = "auto", decode_deadline: str = "30s", decode: Optional[Dict[str, Any]] = None, slot_bytes: Optional[int] = None,
           service: Union[str, Sequence[str], None] = None, where: Optional[str] = None, block: Optional[int] = None, **options: Any) -> Loader:
    """Images, decoded, resized, cropped, augmented, in batches.

        jspdl.images("data/train", size=224, batch_size=64, shuffle=True, seed=1, random_resized_crop=True, flip=0.5,
                     mean=jspdl.IMAGENET_MEAN, std=jspdl.IMAGENET_STD)

    Yields dictionaries: `image` [N, 3, size, size] from 0 to 1 (see layout and dtype), `label` and `index` [N], int64.

    path: a folder with one sub-folder for each class, a list of files, or shards such as "train-{000..127}.tar"; None for the
        sample dataset.
    size, resize: pixels of the square crop, as 224 or (224, 224), and of the shorter side before it; None for size * 8/7.
    shuffle, seed: reshuffle every epoch, by the seed, which also sets everything random. Shards are shuffled in windows.
    where: only rows of Parquet shards of which this is true, such as "label < 10 and lang = 'en'" (docs/how-to/shards.md).
    block: images of a block of a shard, where all shards are indexed tar files and shuffled; None for 16, 0 for whole shards.
    labels: a file with the label of each file of the folder: a CSV, TSV or JSON-lines table with columns such as `file` and `label`, or a JSON object
        {"a.jpg": "cat"}; names are relative to the folder. A file without a label, or with two, and a label without a file are refused.
    indices: which images an epoch has, by their numbers, in this order (with shuffle in another order in each epoch): a list, an array, or the path
        of a .npy or text file; with two dimensions, [epochs, places], an order for each epoch, beginning anew behind the last. An image may
        come several times. Each rank gets its part of it; it needs files of their own, not shards, as weights does.
    weights, draws, replacement: images drawn at random by seed, with probabilities in proportion to these weights (one for each image, as a list, array or
        path), draws times an epoch (as many as there are images), anew in each; without replacement no image twice in an epoch.
    curriculum: images with small values first: {"values": one for each image, "from": 128, "to": 8192, "over": 100_000} admits, at random by seed, those
        whose value is below a limit that rises from 128 to 8192 over 100,000 images of all ranks and epochs.
    random_crop: a random crop instead of the center; a number pads the image with n black pixels first.
    random_resized_crop: torchvision's RandomResizedCrop; True, or {"scale": (0.08, 1), "ratio": (3/4, 4/3)}.
    flip: probability of a horizontal flip; True for 0.5.
    color_jitter: torchvision's ColorJitter: brightness, contrast, saturation and hue, as numbers in a row or a dictionary; one number
        for the first three.
    grayscale: probability of an image without color.
    mean, std: of each channel, of values from 0 to 1: what comes is (value - mean) / std.
    layout: "nchw" or "nhwc". dtype: "float32", "float16", "bfloat16", or "uint8" from 0 to 255.
    interpolation: "bilinear", "bicubic" or "area", all antialiased.
    drop_last: leaves out an incomplete last batch. order: "input" is reproducible, "completion" waits for no slow image.
    workers: images decoded in parallel; None for what turns out best while the loader goes on, beginning with one on each processor.
    max_failures: broken files to skip before loading fails: a number of files, or a share of all such as 0.01. None for none.
    isolation: files to decode in helper processes, where a crash is a failure of that file: "auto" for those that crashed or exceeded
        the deadline before, "all" or "none". decode_deadline: the processor time that a helper has for a file, such as "500ms".
    decode: further parameters of the plan's operation `allocate-batch`, as a dictionary.
    even: how ranks match: "count" (the default: equally many, for which shards that do not say how many samples they hold are counted
        once), "stop-together" and "repeat" (without counting: every rank reads all such shards), or "uneven" (each sample once, for
        validation; batches then have `everywhere` [N], 0 where other ranks may have ended).
    cache, cache_size: a folder that keeps what was read from other machines and may be shared by processes, or "memory"; and how much,
        in bytes or as "20GiB" (by default 10 GiB in a folder, 1 GiB in memory). To ask the caches of other machines before the store,
        a dictionary such as {"folder": "/local/cache", "serve": 7070, "peers": "dns:///trainers:7070"}; docs/how-to/caching.md has more.
    storage: how other machines are asked, as a dictionary such as {"read_deadline": "20s", "hedge_share": 0}; docs/how-to/storage.md
        has all names and defaults.
    service: the address of a worker that decodes, such as "http://decoder-1:8080", or several: `jspdl serve` on other machines,
        with a plan of the same images, order and seed. docs/how-to/data-service.md has more.
    options: of `plan`.
    """
    batch_size, shuffle = whole("batch_size", batch_size, 1, MOST_IMAGES), flag("shuffle", shuffle)
    size = _pixels.square(size)
    pixels = _pixels.parameters(
        size=size, resize=resize, random_crop=random_crop, random_resized_crop=random_resized_crop, flip=flip, color_jitter=color_jitter,
        grayscale=grayscale, mean=mean, std=std, dtype=dtype, interpolation=interpolation)
    choice("layout", layout, ("nchw", "nhwc"))
    choice("order", order, ORDERS)
    choice("isolation", isolation, ("auto", "all", "none"))
    if path is None and any(name in options for name in READING[1:]):
        raise PlanError("cache, cache_size and storage need path: the sample dataset is on this machine")
    if path is None and (where is not None or block is not None):
        raise PlanError("where and block need path: the sample dataset has no shards")
    chosen, files = _orders.chosen(options, shuffle)
    order_of_files = {"shuffle": shuffle, "seed": seed_of(seed), **of_shards(where, block), **reading(options), **chosen}
    labels = labels_of(options)
    if labels and (path is None or service is not None or where is not None):
        raise PlanError("labels= goes with the path of a folder, and not with service= or where=")
    order_of_files.update(labels)
    if service is not None:
        if path is None:
            raise PlanError("service needs path: the sample dataset is made on this machine")
        if chosen:
            raise PlanError("indices= and weights= do not go with service=: workers serve all images, in their order or shuffled")
        order_of_files["service"] = [service] if isinstance(service, str) else list(service)
    source = {"sample-images": order_of_files} if path is None else {"images": {"path": located(path), **order_of_files}}
    stage = staged(workers, order)
    described = {
        "name": "images",
        "source": source,
        "steps": [
            {"allocate-batch": {
                "batch-size": batch_size, "layout": layout, "isolation": isolation, "decode-deadline": decode_deadline, **pixels,
                **(decode or {})}},
            {"read-image": {}, "name": "read", **stage},
            {"decode-image": {}, "name": "decode", **stage, **failure(max_failures)},
            batched(batch_size, drop_last),
            {"stack-images": {}},
        ],
        "prefetch": 1,
        "seed": seed,
    }
    image = size * size * 3 * _pixels.DTYPES[dtype]
    described["memory-budget"] = {"bytes": image * (batch_size + under_way(workers)), "item": image}
    if batch_size >= under_way(workers):        # else a batch at a time would leave workers without images
        described = Weighed(described)
    return _orders.keep(plan(described, slot_bytes=slot_bytes or slot_for(batch_size * image), **options), files)


@checked(plan, *READING, *ORDERING, LABELS)
def video(path: Path, *, glob: Optional[str] = None, frames: int = 16, size: Union[int, Sequence[int]] = 224, resize: Optional[int] = None,
          sampling: str = "random", stride: int = 1, frame_rate: Optional[float] = None, batch_size: int = 8,
          shuffle: bool = False, seed: int = 0, random_crop: Union[bool, int] = False,
          random_resized_crop: Union[bool, dict] = False, flip: Union[bool, float] = False,
          mean: Optional[Sequence[float]] = None, std: Optional[Sequence[float]] = None, layout: str = "tchw",
          dtype: str = "float32", interpolation: str = "bilinear", drop_last: bool = False, workers: Optional[int] = None,
          order: str = "input", max_failures: Union[int, float, None] = None, isolation: str = "auto", decode_deadline: str = "10m",
          slot_bytes: Optional[int] = None, **options: Any) -> Loader:
    """One clip of each video, in batches.

    Yields dictionaries: `video` [N, frames, 3, size, size] from 0 to 1, `index` [N], and `label` [N] unless glob is given; of
    shards what the samples have besides.

    path, glob: a folder of classes, a list of files, or shards; with glob, such as "**/*.mp4", any folder.
    frames: of each clip. sampling: "random" (a clip of neighbors, stride apart, anywhere), "start" (from the beginning, at
        frame_rate if given), "evenly" (spread over the video), or "stratified" (one at random of each of equal parts).
    layout: "tchw", "thwc", or "cthw" for models with 3D convolutions.
    size, resize, random_crop, random_resized_crop, flip, mean, std, dtype, interpolation: of frames, as for `images`; drawn once
        for a clip.
    isolation, decode_deadline: videos to decode in helper processes, and the processor time that one has, as for `images`.
    batch_size, shuffle, seed, indices, weights, draws, replacement, curriculum, drop_last, workers, order, max_failures, even, cache, cache_size, storage,
        options: as for `images`.
    """
    size = _pixels.square(size)
    pixels = _pixels.parameters(
        size=size, resize=resize, random_crop=random_crop, random_resized_crop=random_resized_crop, flip=flip, color_jitter=None,
        grayscale=0, mean=mean, std=std, dtype=dtype, interpolation=interpolation)
    choice("sampling", sampling, ("start", "evenly", "stratified", "random"))
    load = {"frames": whole("frames", frames, 1), "sampling": sampling,
            "layout": choice("layout", layout, ("tchw", "thwc", "cthw")), **isolated(isolation, decode_deadline), **pixels}
    if stride != 1:
        if sampling != "random":
            raise PlanError('stride goes with sampling="random" only')
        load["stride"] = whole("stride", stride, 1)
    if frame_rate is not None:
        if sampling != "start":
            raise PlanError('frame_rate goes with sampling="start" only')
        load["frame-rate"] = number("frame_rate", frame_rate, 1e-3, 1000)
    needed = whole("batch_size", batch_size, 1) * frames * size * size * 3 * _pixels.DTYPES[dtype]
    return samples("video", path, glob, [("load-video", load)], batch_size, shuffle, seed, drop_last, workers, order, max_failures,
                   slot_bytes or slot_for(needed), options)


@checked(plan, *READING, *ORDERING, LABELS)
def audio(path: Path, *, glob: Optional[str] = None, sample_rate: Optional[int] = None, channels: Optional[int] = None,
          seconds: Optional[float] = None, random_crop: bool = False, dtype: str = "float32", batch_size: int = 32,
          shuffle: bool = False, seed: int = 0, drop_last: bool = False, workers: Optional[int] = None, order: str = "input",
          max_failures: Union[int, float, None] = None, transcripts: bool = False, isolation: str = "auto", decode_deadline: str = "10m",
          **options: Any) -> Loader:
    """Sounds, resampled and mixed, in batches of equal length.

        jspdl.audio("LibriSpeech/train-clean-100", transcripts=True, sample_rate=16_000, shuffle=True)

    Yields dictionaries: `audio` [N, channels, samples] from -1 to 1, with silence behind shorter ones; `audio_length` [N], how
    many samples are sound; `index` [N], and `label` [N] unless glob is given; with transcripts `text`, a list.

    path, glob: a folder of classes, a list of files, or shards; with glob, such as "**/*.flac", any folder.
    transcripts: the folder is laid out as LibriSpeech is, a list of what is said (*.trans.txt) beside the sounds; labels are speakers.
    sample_rate, channels: what all sounds become; None for the file's, which must then be the same in all.
    seconds: of each sound; None for as long as the longest in the batch. Needs sample_rate.
    random_crop: takes a part of longer sounds from anywhere instead of the beginning.
    dtype: "float32", "float64", "int32", "int16" or "uint8".
    isolation, decode_deadline: sounds to decode in helper processes, and the processor time that one has, as for `images`.
    batch_size, shuffle, seed, indices, weights, draws, replacement, curriculum, drop_last, workers, order, max_failures, even, cache, cache_size, storage, options: as for `images`.
    """
    load = {"dtype": choice("dtype", dtype, ("float32", "float64", "int32", "int16", "uint8")), **isolated(isolation, decode_deadline)}
    if sample_rate is not None:
        load["sample-rate"] = whole("sample_rate", sample_rate, 1)
    if channels is not None:
        load["channels"] = whole("channels", channels, 1)
    if seconds is not None:
        if sample_rate is None:
            raise PlanError("seconds needs sample_rate, which says how many samples that is")
        load["samples"] = max(1, round(number("seconds", seconds, 1e-6, 1e6) * sample_rate))
    elif flag("random_crop", random_crop):
        raise PlanError("random_crop needs seconds, the length of what is cropped")
    if flag("random_crop", random_crop):
        load["crop"] = "random"
    if transcripts and (glob is not None or LABELS in options or is_shards(path)):
        raise PlanError("transcripts goes with a folder alone, not with glob=, labels= or shards")
    return samples("audio", path, glob, [("load-audio", load)], batch_size, shuffle, seed, drop_last, workers, order, max_failures,
                   options.pop("slot_bytes", SLOT_BYTES), options, pad=() if seconds is not None else ("audio",),
                   more={"transcripts": True} if transcripts else {})


@checked(plan, *READING, *ORDERING, LABELS)
def arrays(path: Path, *, glob: Optional[str] = None, batch_size: int = 32, pad: Sequence[str] = (), shuffle: bool = False,
           seed: int = 0, drop_last: bool = False, workers: Optional[int] = None, order: str = "input",
           max_failures: Union[int, float, None] = None, **options: Any) -> Loader:
    """Arrays of NPY and NPZ files, one or several of each file, in batches.

    Yields dictionaries: `array` [N, ...] of NPY files, or the names of the arrays of NPZ files; `index` [N], and `label` [N] unless
    glob is given.

    path, glob: a folder of classes or a list of files; with glob, such as "*.npy", any folder. For files whose rows are the
        samples, see `shards`.
    pad: names of arrays whose shapes differ: filled up with 0 to the largest of the batch, and `NAME_length` says how long each was.
    batch_size, shuffle, seed, indices, weights, draws, replacement, curriculum, drop_last, workers, order, max_failures, even, cache, cache_size, storage, options: as for `images`.
    """
    return samples("arrays", path, glob, [("load-array", {})], batch_size, shuffle, seed, drop_last, workers, order, max_failures,
                   options.pop("slot_bytes", SLOT_BYTES), options, pad=pad, files_only=True)


@checked(plan, *READING)
def shards(path: Path, *, columns: Optional[Sequence[str]] = None, image: Optional[Dict[str, Any]] = None,
           video: Optional[Dict[str, Any]] = None, audio: Optional[Dict[str, Any]] = None, array: Sequence[str] = (),
           text: Sequence[str] = (), number: Sequence[str] = (), decimal: Sequence[str] = (), pad: Sequence[str] = (),
           batch_size: Optional[int] = None, balance: Optional[Dict[str, Any]] = None, shuffle: bool = False, seed: int = 0, interleave: int = 16,
           window: int = 1024, drop_last: bool = False, workers: Optional[int] = None, order: str = "input",
           max_failures: Union[int, float, None] = None, max_damaged: int = 0, where: Optional[str] = None, block: Optional[int] = None,
           **options: Any) -> Loader:
    """Samples of WebDataset tar, TFRecord, Parquet, JSON-lines, NPY and NPZ shards, in batches.

        jspdl.shards("laion-{00000..00999}.tar", columns=["jpg", "txt"], image={"size": 256}, text=["txt"], shuffle=True)

    Yields dictionaries of the samples' fields, under their own names, and `key`.

    path: a file, a folder of shards, or a pattern with braces; s3:// and https:// too.
    columns: the fields that are read at all; None for all.
    where: only rows of Parquet of which this is true, such as "label >= 3 and lang in ('de', 'en')" (docs/how-to/shards.md).
    image, video, audio: how the image, clip or sound is loaded: the parameters of the operations `load-image`, `load-video` and
        `load-audio` (docs/how-to/plans.md), with `from` for the field if it is not called like its format.
    array, text, number, decimal: fields that hold NPY files, texts, whole numbers or other numbers, written out.
    pad: fields whose shapes differ, such as bytes: filled up with 0, and `NAME_length` says how long each was.
    shuffle, seed, interleave, window: an order of shards for each epoch, `interleave` shards read round-robin, samples shuffled in windows.
    block: samples of a block of a shard, where all shards are indexed tar files; None for 16, 0 for whole shards.
    max_failures: samples that may fail to load; max_damaged: samples of damaged shards to skip.
    balance: batches that cost the same on all ranks, in place of batch_size: {"cost": "txt.bytes", "budget": 262_144} fills each up to the budget, by what
        the index of the shards (`jspdl pack`, `jspdl index`) says that samples cost; "squared": True balances the squares of it, too, which is what
        attention costs, and "also": ["jpg.pixels"] other costs (docs/how-to/data.md). Samples are found by number, so there are no windows.
    batch_size (64), drop_last, workers, order, even, cache, cache_size, storage, options: as for `images`.
    """
    if balance is not None:
        _balance.alone(batch_size=batch_size, drop_last=drop_last or None, max_failures=max_failures, max_damaged=max_damaged or None, where=where,
                       block=block)
    source: Dict[str, Any] = {
        "path": located(path), "shuffle": flag("shuffle", shuffle), "seed": seed_of(seed), "interleave": whole("interleave", interleave, 1),
        "window": whole("window", window, 1), "max-failures": whole("max_damaged", max_damaged, 0)}
    source.update({**of_shards(where, block), **reading(options)})
    if columns is not None:
        source["columns"] = names("columns", columns)
    if balance is not None:
        source = _balance.source(balance, source)
    media = {"image": image, "video": video, "audio": audio}
    load: List[Any] = [(f"load-{kind}", dict(given)) for kind, given in media.items() if given is not None]
    scalars: List[Any] = [("array", array, {}), ("text", text, {}), ("number", number, {}), ("number", decimal, {"type": "decimal"})]
    for kind, fields, more in scalars:
        load += [(f"load-{kind}", {"from": [field], "to": field, **more}) for field in names(kind, fields)]
    return described_samples("shards", {"shards" if balance is None else "balanced-shards": source}, load, 64 if batch_size is None else batch_size, seed,
                             drop_last, workers, order, max_failures, options.pop("slot_bytes", SLOT_BYTES), options, pad, balance is not None)


@checked(plan, *READING)
def text(path: Path, *, length: int, batch_size: int = 8, unit: str = "document", field: str = "text", pack: str = "concatenate",
         window: int = 1000, longest: Optional[int] = None, shuffle: bool = False, seed: int = 0, tokenizer: Union[str, Dict[str, Any]] = "bytes",
         end_of_document: Union[int, str, None] = None, padding: int = 0, drop_last: bool = False, workers: Optional[int] = None,
         **options: Any) -> Loader:
    """Texts, tokenized and packed into sequences of one length, in batches.

    Yields dictionaries of int32 [N, length]: `tokens`; `documents`, which document of the sequence a token belongs to, from 1, and
    0 where it is filled up; `positions`, each token's position in its document.

    path: a text file; a file of tokens that TokenFileWriter has made (".tokens"); or shards, with the texts in `field`.
    unit: what is a document of a text file: "document" (parts between empty lines) or "line".
    pack: "concatenate" (cut where a sequence is full); "best-fit" (whole documents, of each `window` the longest first); or, of a
        file of tokens, "balanced" (whole documents, so that the sequences of all ranks cost the same). longest: documents with
        more tokens are cut for "balanced"; None for length.
    tokenizer: "bytes" (256 tokens and the end, 256), the path of a Hugging Face `tokenizer.json`, or an operation of your own from
        text to tokens, as {"name": {...}}.
    end_of_document: the token behind each document, as a number, or as a text of the tokenizer.json such as "<|endoftext|>"; None
        for the tokenizer's own if that is "bytes", else none.
    padding: the token that fills up.
    batch_size, shuffle, seed, drop_last, workers, even, cache, cache_size, storage, options: as for `images`. Everything comes in the order of the input.
    """
    length = whole("length", length, 1)
    order = {"path": located(path), "shuffle": flag("shuffle", shuffle), "seed": seed_of(seed), **reading(options)}
    tail = [batched(batch_size, drop_last), {"stack-tokens": {}}]
    if os.fspath(path).endswith(".tokens"):
        source = {"length": length, "strategy": choice("pack", pack, ("concatenate", "balanced")), "padding": whole("padding", padding, 0), **order}
        if longest is not None:
            source["longest"] = whole("longest", longest, 1)
        described = {"source": {"token-file": source}, "steps": tail}
    else:
        if tokenizer == "bytes":
            tokenizer = {"tokenize-bytes": {}}
            end_of_document = 256 if end_of_document is None else end_of_document
        elif isinstance(tokenizer, (str, os.PathLike)) and os.path.isfile(tokenizer):
            file = os.path.abspath(tokenizer)
            tokenizer = {"tokenize": {"file": file}}
            if isinstance(end_of_document, str):
                end_of_document = token_of(file, end_of_document)
        elif not isinstance(tokenizer, dict) or len(tokenizer) != 1:
            raise PlanError('tokenizer must be "bytes", the path of a tokenizer.json, or an operation such as {"my-tokenizer": {}}'
                            f" but was {tokenizer!r}")
        packing = {"length": length, "strategy": choice("pack", pack, ("concatenate", "best-fit")), "window": whole("window", window, 1),
                   "padding": whole("padding", padding, 0)}
        if end_of_document is not None:
            packing["end-of-document"] = whole("end_of_document", end_of_document, 0)
        steps = [{**tokenizer, "name": "tokenize", **staged(workers, "input")}, {"pack": packing}, *tail]
        if is_shards(path):
            described = {"source": {"shards": order}, "steps": [{"take-text": {"field": field}}, *steps]}
        else:
            described = {"source": {"texts": {"unit": choice("unit", unit, ("document", "line")), **order}}, "steps": steps}
    return plan({"name": "text", "prefetch": 1, "seed": seed, **described}, **options)


def under_way(workers):
    """How many images are read and decoded at once or lie between stages, at most: more need not be in memory before a batch is taken."""
    return 16 + 4 * (workers or len(os.sched_getaffinity(0)))


def samples(name, path, glob, load, batch_size, shuffle, seed, drop_last, workers, order, max_failures, slot_bytes, options, pad=(),
            files_only=False, more=None):
    """A loader of files, or of shards that hold such files."""
    shuffle = flag("shuffle", shuffle)
    said = {"path": located(path), "shuffle": shuffle, "seed": seed_of(seed), **(more or {})}
    if glob is not None:
        said["glob"] = glob
    said.update(reading(options))
    chosen, kept = _orders.chosen(options, shuffle)
    labels = labels_of(options)
    if labels and (glob is not None or not files_only and is_shards(path)):
        raise PlanError("labels= goes with a folder of files, not with glob= or shards")
    said.update(labels)
    source = {"shards" if glob is None and not files_only and is_shards(path) else "files": {**said, **chosen}}
    if chosen and "shards" in source:
        raise PlanError(f"indices=, weights= and curriculum= need files of their own: samples of shards, as in {path}, are read one behind the other")
    return _orders.keep(described_samples(name, source, load, batch_size, seed, drop_last, workers, order, max_failures, slot_bytes, options, pad), kept)


def described_samples(name, source, load, batch_size, seed, drop_last, workers, order, max_failures, slot_bytes, options, pad, together=False):
    choice("order", order, ORDERS)
    stage = {**staged(workers, order), **failure(max_failures)}
    steps = [{operation: said, "name": "-".join([operation, *said.get("from", [])[:1]]), **stage} for operation, said in load]
    collate = {"pad": names("pad", pad)} if pad else {}
    if together:
        last = [{"collate-balanced": collate, **(stage if not steps else {"cpu": 1})}]
    else:
        last = [batched(batch_size, drop_last), {"collate": collate, "cpu": 1}]
    return plan({"name": name, "source": source, "steps": [*steps, *last], "prefetch": 1, "seed": seed}, slot_bytes=slot_bytes, **options)


def labels_of(options):
    """The file that says the labels of the files of a folder, taken out of the options."""
    labels = options.pop(LABELS, None)
    return {} if labels is None else {LABELS: located(labels)}


def of_shards(where, block):
    """Which rows of shards are read, and in which blocks they are shuffled."""
    said = {}
    if where is not None:
        if not isinstance(where, str) or not where.strip():
            raise PlanError(f"where must be a filter such as \"label >= 3\" but was {where!r}")
        said["where"] = where
    if block is not None:
        said["block"] = whole("block", block, 0)
    return said


def reading(options):
    """How ranks match, and how what lies elsewhere is read, taken out of the options."""
    said = {}
    if (even := options.pop("even", None)) is not None:
        said["even"] = choice("even", even, EVEN)
    if (cache := options.pop("cache", None)) is not None:
        said["cache"] = caching(cache)
    if (size := options.pop("cache_size", None)) is not None:
        if cache is None:
            raise PlanError("cache_size needs cache, which says where the cache is")
        said["cache-size"] = size if isinstance(size, str) else whole("cache_size", size, 1)
    if (storage := options.pop("storage", None)) is not None:
        if not isinstance(storage, dict) or not all(isinstance(name, str) for name in storage):
            raise PlanError(f"storage must be a dictionary, such as {{'read_deadline': '20s'}}, but was {storage!r}")
        said["storage"] = {name.replace("_", "-"): setting(name, value) for name, value in storage.items()}
    return said


def caching(cache):
    """A cache as plans say it: a folder, "memory", or a dictionary that may name peers."""
    if not isinstance(cache, dict):
        return cache if cache == "memory" else os.path.abspath(os.path.expanduser(os.fspath(cache)))
    if not isinstance(cache.get("folder"), (str, os.PathLike)) or not all(isinstance(name, str) for name in cache):
        raise PlanError(f"cache must be a folder, 'memory', or a dictionary with the key 'folder', but was {cache!r}")
    said = {}
    for name, value in cache.items():
        if isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value):
            value = " ".join(value)
        if name != "folder" and not isinstance(value, (str, int)):
            raise PlanError(f"cache: {name} must be a text, a number, or a list of texts but was {value!r}")
        said[name] = value
    return {**said, "folder": caching(cache["folder"])}


def setting(name, value):
    """A value of `storage`: files become absolute paths."""
    if isinstance(value, os.PathLike) or name in ("http_headers", "http-headers", "netrc"):
        return os.path.abspath(os.path.expanduser(os.fspath(value)))
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise PlanError(f"storage: {name} must be a text or a number but was {value!r}")
    return value


def located(path):
    """An absolute path, or a location elsewhere, or a pattern, as it is; refuses what is not there."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise PlanError(f"a path is a text or a pathlib.Path but was {type(path).__name__}: the names of files are given as the path of a text file with"
                        " one on each line, or a folder's in part by indices=")
    path = os.fsdecode(path)
    if "://" in path:
        return path
    if path.startswith("~") and not os.path.exists(path):
        path = os.path.expanduser(path)
    if "{" not in path and "*" not in path and not os.path.exists(path):
        raise PlanError(f"there is no folder or file list at {os.path.abspath(path)}")
    return os.path.abspath(path)


def is_shards(path):
    path = os.fspath(path)
    if path.startswith(("http://", "https://")):
        path = path.partition("?")[0]       # a signature says nothing about what is there
    if not path.endswith(SHARDS) and "://" not in path and os.path.isdir(path):
        return any(name.endswith(SHARDS[:-2]) for name in os.listdir(path))
    return path.endswith(SHARDS)


def names(name, values):
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        raise PlanError(f"{name} must be a list of names but was {values!r}")
    return list(values)


def seed_of(seed):
    return whole("seed", seed, -(1 << 63))


def isolated(isolation, deadline):
    """Parameters of `load-video` and `load-audio`, where they are not what the operations do anyhow."""
    parameters = {}
    if choice("isolation", isolation, ("auto", "all", "none")) != "auto":
        parameters["isolation"] = isolation
    if deadline != "10m":
        parameters["decode-deadline"] = deadline
    return parameters


def staged(workers, order):
    return {"cpu": whole("workers", workers, 1) if workers is not None else "auto", "order": order}


def batched(batch_size, drop_last):
    return {"batch": {"batch-size": whole("batch_size", batch_size, 1), "drop-last": flag("drop_last", drop_last)}}


def slot_for(needed):
    """A pool rounds up by at most a quarter."""
    return max(SLOT_BYTES, math.ceil(needed * 1.25) + SMALL_BYTES)


def failure(max_failures):
    if max_failures is None:
        return {}
    if isinstance(max_failures, int) and not isinstance(max_failures, bool) and max_failures > 0:
        return {"failure": {"max-failures": max_failures}}
    if isinstance(max_failures, float) and 0 < max_failures < 1:
        return {"failure": {"max-failure-rate": max_failures}}
    raise PlanError(f"max_failures must be a number of files, or a share between 0 and 1, but was {max_failures!r}")
