"""What images, and frames of videos, become: arguments under torchvision's names, as parameters of a plan."""
from typing import Any, Dict, Optional, Sequence, Union

from ._errors import PlanError
from ._plans import choice, number, numbers, whole

DTYPES = {"uint8": 1, "float32": 4, "float16": 2, "bfloat16": 2}
IMAGENET_MEAN = (0.485, 0.456, 0.406)
IMAGENET_STD = (0.229, 0.224, 0.225)
Jitter = Union[float, Sequence[float], Dict[str, float]]
JITTERS = ("brightness", "contrast", "saturation", "hue")


def square(size: Union[int, Sequence[int]]) -> int:
    """The side of a square that is given as one number or as its two sides."""
    if isinstance(size, (list, tuple)):
        if len(size) != 2 or size[0] != size[1]:
            raise PlanError(f"size must be a whole number, or two that are equal, but was {size!r}: crops are square")
        size = size[0]
    return whole("size", size, 1)


def parameters(*, size: int, resize: Optional[int], random_crop: Union[bool, int], random_resized_crop: Union[bool, dict],
               flip: Union[bool, float], color_jitter: Optional[Jitter], grayscale: float, mean, std, dtype: str,
               interpolation: str) -> Dict[str, Any]:
    """Parameters of `allocate-batch`, `load-image` and `load-video`."""
    choice("dtype", dtype, tuple(DTYPES))
    choice("interpolation", interpolation, ("bilinear", "bicubic", "area"))
    if random_crop is not False and random_resized_crop:
        raise PlanError("random_crop and random_resized_crop cannot be had at once")
    said = {"size": size, "resize": whole("resize", resize, 1) if resize is not None else round(size * 8 / 7), "dtype": dtype,
            "interpolation": interpolation}
    if random_crop is not False:
        said["crop"] = "random"
        if random_crop is not True:
            said["padding"] = whole("random_crop", random_crop, 0)
    if random_resized_crop:
        said["crop"] = "random-resized-crop"
        if random_resized_crop is not True:
            said.update(resized_crop(random_resized_crop))
    flip = 0.5 if flip is True else 0 if flip is False else number("flip", flip, 0, 1)
    said.update({name: value for name, value in (("flip", flip), ("grayscale", number("grayscale", grayscale, 0, 1))) if value})
    said.update(jitters(color_jitter))
    if mean is not None or std is not None:
        if mean is None or std is None or dtype == "uint8":
            raise PlanError(f"mean and std are given together, with a dtype of floats, but were {mean!r} and {std!r} with {dtype}")
        said["mean"], said["std"] = numbers("mean", mean, 3, -1e6, 1e6), numbers("std", std, 3, 1e-6, 1e6)
    return said


def resized_crop(said):
    if not isinstance(said, dict) or not set(said) <= {"scale", "ratio"}:
        raise PlanError('random_resized_crop must be True or a dictionary of "scale" and "ratio", each the least and the most,'
                        f" but was {said!r}")
    return {name: numbers(f"random_resized_crop's {name}", value, 2, 1e-6, 1 if name == "scale" else 100)
            for name, value in said.items()}


def jitters(jitter):
    """`ColorJitter`'s strengths: four in a row, a dictionary, or one for brightness, contrast and saturation."""
    if jitter is None:
        return {}
    if isinstance(jitter, dict):
        for name in jitter:
            choice("a key of color_jitter", name, JITTERS)
        named = jitter
    elif isinstance(jitter, (list, tuple)):
        if not 1 <= len(jitter) <= len(JITTERS):
            raise PlanError(f"color_jitter must be at most 4 numbers, for {', '.join(JITTERS)}, but was {jitter!r}")
        named = dict(zip(JITTERS, jitter))
    else:
        named = {name: jitter for name in JITTERS[:3]}
    return {"color-jitter": [number(name, named.get(name, 0), 0, 0.5 if name == "hue" else 100) for name in JITTERS]}
