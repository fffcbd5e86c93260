"""OpenCV: imdecode, resize by area (its antialiased filter), crop, to RGB."""
import cv2
import numpy
import torch


def versions():
    return {"opencv": cv2.__version__}


def loader(options):
    if options.workers > 0:
        cv2.setNumThreads(0)        # its threads do not survive the fork of a worker

    def load(path):
        image = cv2.imdecode(numpy.fromfile(path, dtype=numpy.uint8), cv2.IMREAD_COLOR)
        height, width = image.shape[:2]
        scale = options.resize / min(height, width)
        wide, high = max(options.resize, int(width * scale)), max(options.resize, int(height * scale))
        image = cv2.resize(image, (wide, high), interpolation=cv2.INTER_AREA)
        left, top = round((wide - options.size) / 2), round((high - options.size) / 2)
        crop = image[top:top + options.size, left:left + options.size]
        return torch.from_numpy(cv2.cvtColor(crop, cv2.COLOR_BGR2RGB))

    return load
