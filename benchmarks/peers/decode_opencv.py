"""OpenCV: imdecode, resize by area (its antialiased filter), crop, to RGB."""
import cv2
import numpy
import torch
from torchvision.transforms import RandomResizedCrop

from folder import SCALE, RATIO, flips


def versions():
    return {"opencv": cv2.__version__}


def loader(options):
    if options.workers > 0:
        cv2.setNumThreads(0)        # its threads do not survive the fork of a worker

    def shrink(image):
        height, width = image.shape[:2]
        scale = options.resize / min(height, width)
        wide, high = max(options.resize, int(width * scale)), max(options.resize, int(height * scale))
        image = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
        left, top = round((wide - options.size) / 2), round((high - options.size) / 2)
        return image[top:top + options.size, left:left + options.size]

    def augment(image):
        # the shape is all that the drawing reads of its image, so one without pixels will do
        size = torch.empty(0, *image.shape[:2])
        top, left, height, width = RandomResizedCrop.get_params(size, SCALE, RATIO)
        enlarges = height < options.size or width < options.size
        image = cv2.resize(image[top:top + height, left:left + width], (options.size, options.size),
                           interpolation=cv2.INTER_LINEAR if enlarges else cv2.INTER_AREA)
        return cv2.flip(image, 1) if flips() else image

    change = augment if options.augment else shrink

    def load(path):
        image = change(cv2.imdecode(numpy.fromfile(path, dtype=numpy.uint8), cv2.IMREAD_COLOR))
        return torch.from_numpy(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))

    return load
