"""Pillow, as torchvision's ImageFolder uses it by default; its bilinear resize is antialiased."""
import numpy
import PIL
import torch
from PIL import Image
from torchvision.transforms import CenterCrop, Compose, InterpolationMode, RandomHorizontalFlip, RandomResizedCrop, Resize

from folder import SCALE, RATIO


def versions():
    return {"pillow": PIL.__version__}


def loader(options):
    shrink = Compose([Resize(options.resize, interpolation=InterpolationMode.BILINEAR), CenterCrop(options.size)])
    augment = Compose([RandomResizedCrop(options.size, SCALE, RATIO, InterpolationMode.BILINEAR), RandomHorizontalFlip()])
    change = augment if options.augment else shrink

    def load(path):
        with open(path, "rb") as file:
            image = Image.open(file).convert("RGB")
        return torch.from_numpy(numpy.array(change(image)))

    return load
