"""PyTorch's DataLoader over a folder of images, for `jspdl run --compare`: prints one line of JSON.

Decodes with torchvision if it is there, else with Pillow; persistent workers, one for each processor.
"""
import json
import os
import platform
import sys
import time

import torch
from torch.utils.data import DataLoader, Dataset

SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff")
MEAN = (0.485, 0.456, 0.406)
DEVIATION = (0.229, 0.224, 0.225)


def files(folder):
    """The images below the folders of the classes, with the number of the class."""
    classes = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    found = []
    for label, name in enumerate(classes):
        for root, _, names in sorted(os.walk(os.path.join(folder, name), followlinks=True)):
            found += [(os.path.join(root, file), label) for file in sorted(names) if file.lower().endswith(SUFFIXES)]
    return found


def by_torchvision(options):
    import torchvision
    from torchvision.io import ImageReadMode, decode_image, read_file
    from torchvision.transforms import InterpolationMode
    from torchvision.transforms import functional as F

    def load(path):
        image = decode_image(read_file(path), mode=ImageReadMode.RGB)
        image = F.resize(image, options["resize"], interpolation=InterpolationMode.BILINEAR, antialias=True)
        return F.center_crop(image, [options["size"], options["size"]])

    return load, "torchvision " + torchvision.__version__


def by_pillow(options):
    import PIL
    from PIL import Image

    def load(path):
        size, resize = options["size"], options["resize"]
        with Image.open(path) as image:
            image.draft("RGB", (resize, resize))
            scale = resize / min(image.size)
            image = image.convert("RGB").resize([max(resize, round(side * scale)) for side in image.size], Image.BILINEAR)
        left, top = ((side - size) // 2 for side in image.size)
        pixels = image.crop((left, top, left + size, top + size)).tobytes()
        return torch.frombuffer(bytearray(pixels), dtype=torch.uint8).reshape(size, size, 3).permute(2, 0, 1)

    return load, "Pillow " + PIL.__version__


class Images(Dataset):
    def __init__(self, entries, load, options):
        self.entries = entries
        self.load = load
        self.dtype = getattr(torch, options["dtype"])
        self.nhwc = options["layout"] == "nhwc"
        self.shift = None
        if options["normalize"]:
            self.shift = torch.tensor(MEAN).view(3, 1, 1), torch.tensor(DEVIATION).view(3, 1, 1)

    def __len__(self):
        return len(self.entries)

    def __getitem__(self, index):
        path, label = self.entries[index]
        image = self.load(path)
        if self.dtype is not torch.uint8:
            image = image.to(torch.float32).div_(255)
            if self.shift:
                image.sub_(self.shift[0]).div_(self.shift[1])
            image = image.to(self.dtype)
        return (image.permute(1, 2, 0).contiguous() if self.nhwc else image.contiguous()), label


def cpu_seconds(pids):
    """Processor time of this process and of its workers, or None where the system does not say."""
    try:
        ticks = 0
        for pid in (os.getpid(), *pids):
            with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stat:
                fields = stat.read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")
    except OSError:
        return None


def main(options):
    entries = files(options["folder"])
    if not entries:
        sys.exit("no images of a format that both loaders read are below the folder")
    step = max(1, -(-len(entries) // options["images"]))
    entries = entries[::step]
    try:
        load, decoder = by_torchvision(options)
    except ImportError:
        load, decoder = by_pillow(options)
    workers = options["workers"]
    loader = DataLoader(Images(entries, load, options), batch_size=options["batch_size"], num_workers=workers,
                        persistent_workers=workers > 0)
    epochs = []
    for _ in range(options["epochs"]):
        pids = [worker.pid for worker in getattr(loader._iterator, "_workers", ())]
        begun, cpu, images, checksum = time.perf_counter(), cpu_seconds(pids), 0, 0
        for batch, labels in loader:
            images += len(labels)
            checksum += int(batch[0].flatten()[0] != 0)
        pids_now = [worker.pid for worker in getattr(loader._iterator, "_workers", ())]
        after = cpu_seconds(pids_now)
        known = cpu is not None and after is not None and len(pids) == len(pids_now)
        epochs.append({"images": images, "seconds": time.perf_counter() - begun,
                       "cpu_seconds": after - cpu if known else None})
    print(json.dumps({
        "epochs": epochs, "decoder": decoder, "torch": torch.__version__, "python": platform.python_version(),
        "workers": workers}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
