"""A dataset in PyTorch's sense: item i is (image, label), in the order of the sorted paths."""
import os

import torch
from torch.utils.data import Dataset

SCALE, RATIO = (0.08, 1.0), (3 / 4, 4 / 3)      # of random resized crops
MEAN = torch.tensor([0.485, 0.456, 0.406])
DEVIATION = torch.tensor([0.229, 0.224, 0.225])
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".bmp")


def flips():
    return torch.rand(1).item() < 0.5


class Images(Dataset):
    def __init__(self, folder, load, options):
        classes = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
        self.items = [(os.path.join(folder, name, file), label)
                      for label, name in enumerate(classes)
                      for file in sorted(os.listdir(os.path.join(folder, name)))
                      if file.lower().endswith(ENDINGS)]
        if not self.items:
            raise SystemExit(f"{folder} holds no images in folders of classes")
        self.load = load        # path -> uint8 tensor, height x width x 3
        self.first = options.layout == "nchw"
        self.floats = options.dtype == "float32"
        shape = (3, 1, 1) if self.first else (3,)
        self.normal = (MEAN.view(shape), DEVIATION.view(shape)) if options.augment and self.floats else None

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        path, label = self.items[index]
        image = self.load(path)
        if self.first:
            image = image.permute(2, 0, 1)
        if self.floats:
            image = image.to(torch.float32).div_(255)
            if self.normal:
                image.sub_(self.normal[0]).div_(self.normal[1])
        return image.contiguous(), label
