"""torchvision's own decoder (libjpeg-turbo) and its resize on tensors, antialiased."""
import torchvision
from torchvision.io import ImageReadMode, decode_image, decode_jpeg, read_file
from torchvision.transforms import CenterCrop, Compose, InterpolationMode, RandomResizedCrop, Resize
from torchvision.transforms import functional as F

from folder import SCALE, RATIO, flips


def versions():
    return {"torchvision": torchvision.__version__}


def loader(options):
    shrink = Compose([Resize(options.resize, interpolation=InterpolationMode.BILINEAR, antialias=True),
                      CenterCrop(options.size)])

    def augment(image):
        top, left, height, width = RandomResizedCrop.get_params(image, SCALE, RATIO)
        image = F.resize(F.crop(image, top, left, height, width), [options.size, options.size], antialias=True)
        return F.hflip(image) if flips() else image

    change = augment if options.augment else shrink

    def load(path):
        data = read_file(path)
        if path.endswith(".jpg"):
            return change(decode_jpeg(data, mode=ImageReadMode.RGB)).permute(1, 2, 0)
        return change(decode_image(data, mode=ImageReadMode.RGB)).permute(1, 2, 0)

    return load
