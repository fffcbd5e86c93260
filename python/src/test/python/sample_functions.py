"""Functions that the tests of `map(order=)` have the loader call for samples, in helper processes that need no cloudpickle."""
import os
import random
import signal
import sys
import threading
import time

try:
    import numpy
except ImportError:
    numpy = None


class Named:
    """An object of the user's."""

    def __init__(self, number):
        self.number = number


def same(sample):
    return sample


def darker(sample):
    sample["image"] //= 2
    return sample


def tensor_darker(sample):
    import torch
    assert isinstance(sample["image"], torch.Tensor)
    return {"image": torch.div(sample["image"], 2, rounding_mode="floor"), "index": sample["index"]}


def others(sample):
    """Other fields, of other shapes and kinds."""
    index = sample["index"]
    if index == 0:
        print("a function that prints")
        os.write(1, b"and not by way of Python\n")
    return {"half": sample["image"][:, ::2].astype("float32"), "mirrored": sample["image"][:, :, ::-1], "index": index, "ratio": index / 2, "flag": index % 2 == 0,
            "name": f"image {index} ß", "object": Named(index), "nested": {"numbers": [index, None]}, "scalar": numpy.float32(index), "none": None,
            "swapped": numpy.array([index], ">i4"), "empty": numpy.empty((0, 3), "int16")}


def growing(sample):
    """Results that are larger for some samples, beyond what those before needed."""
    sample["image"] = numpy.full((1, 1 + 300_000 * (sample["index"] % 3 == 0)), sample["index"], "int32").sum(1)
    sample["more"] = numpy.full(200_000 if sample["index"] // 4 % 2 else 10, sample["index"], "float64")
    return sample


def drawn(sample):
    return {"index": sample["index"], "random": random.random(), "numpy": numpy.random.random(), "process": os.getpid()}


def refused_at_5(sample):
    if sample["index"] == 5:
        raise LookupError("five")
    return sample


def killed_at_5(sample):
    if sample["index"] == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    return sample


def exits_at_5(sample):
    if sample["index"] == 5:
        os._exit(3)
    return sample


KEPT = []


def kept_at_5(sample):
    """Keeps a part of the sixth sample, and a cycle that keeps each until it is collected."""
    if sample["index"] == 5:
        KEPT.append(sample["image"][0])
    cycle = [sample["image"]]
    cycle.append(cycle)
    return sample


def forked(sample):
    """Lets a fork of the helper return, as well as the helper itself."""
    if sample["index"] % 5 == 2:
        os.fork()
    return sample


def written(sample):
    """Writes what looks like an answer to the helper's pipe."""
    if sample["index"] == 5:
        for number in os.listdir("/proc/self/fd"):
            if number not in "012" and os.path.exists(f"/proc/self/fd/{number}") and "pipe" in os.readlink(f"/proc/self/fd/{number}"):
                try:
                    os.write(int(number), b"\x0a\x00\x00\x00\x06" + bytes(8) + b"[]")
                except OSError:
                    pass
    return sample


def uneven(sample):
    """Some samples take longer than others."""
    time.sleep(0.02 * (sample["index"] % 4 == 0))
    return sample


def waits_at_0(sample):
    """The first sample is done when there is a file, whose name is the variable's."""
    while sample["index"] == 0 and not os.path.exists(os.environ["JSPDL_TEST_FILE"]):
        time.sleep(0.01)
    return sample


def waits_below(sample):
    """The first samples are done when there is a file."""
    while sample["index"] < int(os.environ["JSPDL_TEST_WAITING"]) and not os.path.exists(os.environ["JSPDL_TEST_FILE"]):
        time.sleep(0.01)
    return sample


def noted(sample):
    with open(os.environ["JSPDL_TEST_FILE"], "ab", buffering=0) as file:
        file.write(b"%d " % sample["index"])
    return sample


def processes(sample):
    return {"pid": os.getpid(), "threads": os.environ.get("OMP_NUM_THREADS", ""), "kept": os.environ.get("MALLOC_TRIM_THRESHOLD_", "")}


def slept(sample):
    time.sleep(1000)
    return sample


def no_fields(sample):
    return sample["image"]


def too_large(sample):
    return {"number": 1 << 63 if sample["index"] == 5 else 1}


def impossible(sample):
    return {"function": lambda: sample["index"]}


def ragged(sample):
    return {"image": sample["image"][:, :1 + sample["index"] % 2]}


class Unloadable:
    """What cannot be loaded where it is sent to."""

    def __call__(self, sample):
        return sample

    def __reduce__(self):
        return fail_to_load, ()


def fail_to_load():
    if sys.argv and sys.argv[0] == "-c":
        raise ImportError("no such module here")
    return Unloadable()


FIRST = []


def beside_first(sample):
    """Each image beside the first that this process was given, which it keeps."""
    FIRST.append(sample["image"])
    return {"image": sample["image"], "first": FIRST[0]}


BESIDE = []


def written_later(sample):
    """Writes to the sample after the call, from a thread that keeps it."""
    if sample["index"] % 3 == 0:
        def write(image):
            while True:
                image[...] = 255
        BESIDE.append(threading.Thread(target=write, args=(sample["image"],), daemon=True))
        BESIDE[-1].start()
    return sample


KINDS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128")


def variants(index, image):
    """Arrays of all types, in shapes and layouts that follow from `index`, some of them parts of the image."""
    made = {}
    draw = numpy.random.default_rng(index)
    for kind in KINDS:
        shape = tuple(int(n) for n in draw.integers(0 if index % 4 == 0 else 1, 5, size=draw.integers(0, 4)))
        plain = draw.integers(0, 256, (*shape, numpy.dtype(kind).itemsize), "uint8").reshape(-1)
        plain = (plain & 1).astype("bool").reshape(shape) if kind == "bool" else numpy.nan_to_num(plain.view(kind)).reshape(shape)
        layout = draw.integers(0, 7)
        if layout == 0:
            plain = numpy.asfortranarray(plain)
        elif layout == 1:
            plain = plain.astype(plain.dtype.newbyteorder(">"))
        elif layout == 2:
            plain = plain.copy()
            plain.flags.writeable = False
        elif layout == 3:
            plain = plain[::-1] if plain.ndim else plain
        elif layout == 4:
            plain = numpy.repeat(plain, 2, 0)[::2] if plain.ndim else plain
        elif layout == 5:
            plain = numpy.broadcast_to(plain, (3, *plain.shape))
        elif plain.ndim == 0:
            plain = plain[()]
        made[kind] = plain
    flat = image.reshape(-1)
    made.update(part=image[:1], row=image[0, 1], backwards=flat[::-1], other=image.transpose(2, 1, 0), odd=flat[1:9].view("int64"), halves=flat[2:10].view("float16"),
                repeated=numpy.broadcast_to(flat[:3], (4, 3)), last=flat[-1:], nothing=flat[5:5])
    made["bits"] = made["halves"].view("uint16")
    made["again"] = made["part"]
    del made["halves"]      # which may be no numbers
    return made


def varied(sample):
    return {"index": sample["index"], "image": sample["image"], **variants(sample["index"], sample["image"])}


def tensor_variants(image):
    import torch
    flat = image.reshape(-1)
    other = flat[:8].to(torch.float32)
    return {"same": image, "again": image, "part": image[:1], "turned": image.permute(2, 1, 0), "expanded": flat[:3].expand(4, 3), "last": flat[-1], "none": flat[:0],
            "half": other.half(), "brain": other.bfloat16(), "truth": flat[:5] > 99, "conjugate": torch.complex(other, other + 1).conj(), "step": flat[1::3],
            "graded": (other * 2).requires_grad_(), "bits": flat[:8].view(torch.int64)}


def tensors_varied(sample):
    return {"index": sample["index"], **tensor_variants(sample["image"])}


def darkened(sample):
    """Changes the image in place, and returns other arrays."""
    dark = sample["image"] // 2
    for name in sample:
        if hasattr(sample[name], "shape") and sample[name].shape:
            sample[name][...] = 0
    return {**{name: value for name, value in sample.items() if name != "image"}, "image": dark}


def raised_by_one(sample):
    sample["array"] += 1
    return sample


def mixed(sample):
    """A field that is nothing for some samples, an array or a number for others."""
    index = sample["index"]
    kinds = (None, numpy.full(5, index, "int32"), index, f"text {index}")
    return {"index": index, "two": kinds[index % 2], "first": kinds[(index + 1) % 2], "four": kinds[index % 4], "image": sample["image"]}


def sometimes(sample):
    """A field that only some samples have."""
    return {**sample, "more": 1} if sample["index"] == 2 else sample


def large(sample):
    return {"index": sample["index"], "text": str(sample["index"]) * 1_000_000, "bytes": bytes([sample["index"]]) * 3_000_000}


class Unreadable:
    """What the trainer cannot read."""

    def __reduce__(self):
        return fail_to_read, ()


def fail_to_read():
    raise ImportError("no such module there")


def unreadable_at_5(sample):
    return {**sample, "object": Unreadable() if sample["index"] == 5 else None}
