#!/usr/bin/python3
"""SPDL over a folder of images, measured as dataloader.py measures the DataLoader; for a Python in which SPDL and PyTorch are installed.

The same pictures as of the others: shorter side to 256, center crop 224, antialiased, in batches. A task is an image, whose frames are batched afterwards, or
a whole batch, as in SPDL's own example for images.
"""
import argparse
import importlib.metadata
from types import SimpleNamespace

from dataloader import play, say


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--workers", type=int, required=True, help="threads")
    parser.add_argument("--task", choices=("image", "batch"), default="image", help="what one call of a thread decodes")
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--resize", type=int, default=256)
    parser.add_argument("--size", type=int, default=224)
    parser.add_argument("--layout", choices=("nhwc", "nchw"), default="nhwc")
    parser.add_argument("--dtype", choices=("uint8", "float32"), default="uint8")
    parser.add_argument("--read", action="store_true", help="read every batch once, as a trainer does")
    return parser.parse_args()


def main():
    options = arguments()
    import spdl.io
    import spdl.pipeline
    import torch
    from folder import Images

    items = Images(options.folder, None, SimpleNamespace(**vars(options), augment=False)).items
    picture = spdl.io.get_video_filter_desc(scale_width=options.resize, scale_height=options.resize, scale_algo="bilinear", scale_mode="crop",
                                            crop_width=options.size, crop_height=options.size, pix_fmt="rgb24")

    def decode(item):
        path, label = item
        return spdl.io.decode_packets(spdl.io.demux_image(path), filter_desc=picture), label

    def batch(decoded):
        frames, labels = zip(*decoded)
        images = spdl.io.to_torch(spdl.io.convert_frames(list(frames)))
        if options.layout == "nchw":
            images = images.permute(0, 3, 1, 2)
        if options.dtype == "float32":
            images = images.to(torch.float32, memory_format=torch.contiguous_format).div_(255)
        return images.contiguous(), torch.tensor(labels)

    def epoch_of_batches():
        builder = spdl.pipeline.PipelineBuilder().add_source(items)
        if options.task == "image":
            builder = builder.pipe(decode, concurrency=options.workers, output_order="input").aggregate(options.batch_size).pipe(batch)
        else:
            builder = builder.aggregate(options.batch_size).pipe(lambda some: batch([decode(item) for item in some]), concurrency=options.workers,
                                                                 output_order="input")
        pipeline = builder.add_sink(2).build(num_threads=options.workers)
        with pipeline.auto_stop():
            yield from pipeline

    torch.set_num_threads(1)    # the threads of the pipeline are those that count
    say("versions", spdl=importlib.metadata.version("spdl_io"), torch=torch.__version__)
    play(options, epoch_of_batches, lambda batch: batch[0])


if __name__ == "__main__":
    main()
