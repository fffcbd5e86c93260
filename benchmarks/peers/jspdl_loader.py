#!/usr/bin/python3
"""Our loader in Python, measured as dataloader.py measures PyTorch's; PYTHONPATH and JSPDL_CLASSPATH say where it is."""
import argparse

import jspdl
from dataloader import play, say


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--workers", type=lambda text: None if text == "auto" else int(text), required=True, help="a number, or auto: what turns out best")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nchw")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="float32")
    parser.add_argument("--read", action="store_true", help="read every batch once, as a trainer does")
    return parser.parse_args()


def main():
    options = arguments()
    loader = jspdl.images(options.folder, size=224, resize=256, batch_size=options.batch_size, layout=options.layout,
                          dtype=options.dtype, workers=options.workers, epochs=options.epochs)
    import torch    # as trainers do; the loader starts meanwhile
    say("versions", jspdl=jspdl.__version__, torch=torch.__version__)
    play(options, lambda: loader, lambda batch: batch["image"])
    loader.close()


if __name__ == "__main__":
    main()
