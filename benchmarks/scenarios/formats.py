"""PNG or WebP images, decoded, resized and batched: jspdl against PyTorch's DataLoader.

The files are made of the sample photographs with Pillow, 400 by default, and kept in the temporary folder. Otherwise as the
scenario `images`. torchvision 0.14 has no decoder for WebP and stays out of that.
"""
import pathlib
import subprocess
import tempfile

from scenarios import images

OURS = images.OURS


def add_options(parser):
    parser.add_argument("--format", choices=("png", "webp", "webp-lossless"), default="png")
    parser.add_argument("--images", type=int, default=400)
    images.add_options(parser)
    parser.set_defaults(concurrency="1,2", workers="0,2")


def setting(options):
    return {**images.setting(options), "format": options.format}


def contestants(options):
    images.prepare(options)
    target = pathlib.Path(tempfile.gettempdir()) / f"jspdl-{options.format}-{options.images}"
    subprocess.run(["/usr/bin/python3", images.HERE / "peers" / "convert.py", options.data, target, options.format,
                    str(options.images)], check=True)
    options.data = target
    found = images.contestants(options)
    return [c for c in found if options.format == "png" or "torchvision" not in c.name]
