#!/usr/bin/python3
"""Images that a function in Python of about a millisecond changes: decoded by jspdl and changed in its helper processes, or both in DataLoader's workers.

Says what dataloader.py says. PYTHONPATH and JSPDL_CLASSPATH say where jspdl is.
"""
import argparse
import importlib
import pathlib
import time

import numpy
from dataloader import play, say

WORK = 4        # rounds of arithmetic over an image: about a millisecond


def transform(image):
    """About a millisecond of NumPy for 3 x 224 x 224 floats, the same work for each."""
    for _ in range(WORK):
        image = numpy.sqrt(image * image + 1)
    return image


def of_sample(sample):
    sample["image"] = transform(sample["image"])
    return sample


class Transformed:
    """DataLoader's dataset: `images`, changed."""

    def __init__(self, images):
        self.images = images

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        import torch
        image, label = self.images[index]
        return torch.from_numpy(transform(image.numpy())), label


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--loader", choices=("jspdl", "dataloader"), required=True)
    parser.add_argument("--decoder", default="torchvision", help="of the DataLoader")
    parser.add_argument("--order", choices=("input", "completion"), help="of jspdl: samples are changed before they are batched, by the loader")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--resize", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    parser.set_defaults(layout="nchw", dtype="float32", augment=False, read=True)
    return parser.parse_args()


def main():
    options = arguments()
    if options.loader == "jspdl":
        import jspdl
        images = jspdl.images(options.folder, size=options.size, resize=options.resize, batch_size=options.batch_size, arrays="numpy")
        loader = images.map(module_function(), processes=options.workers, order=options.order)
        import torch    # as trainers do
    else:
        import torch
        from torch.utils.data import DataLoader
        from folder import Images
        decoder = importlib.import_module(f"decode_{options.decoder}")
        images = Images(options.folder, decoder.loader(options), options)
        loader = DataLoader(Transformed(images), batch_size=options.batch_size, num_workers=options.workers, persistent_workers=True)
    image = numpy.zeros((3, options.size, options.size), "float32")
    began = time.monotonic()
    for _ in range(20):
        transform(image)
    say("versions", torch=torch.__version__, numpy=numpy.__version__, transform_microseconds=round((time.monotonic() - began) / 20 * 1e6))
    play(options, lambda: loader, lambda batch: batch["image"] if options.loader == "jspdl" else batch[0])


def module_function():
    """The function as helpers find it by name: in a module, not in the main program."""
    return importlib.import_module("transformed").of_sample


if __name__ == "__main__":
    main()
