"""torchvision's own decoder (libjpeg-turbo) and its resize on tensors, antialiased."""
import torchvision
from torchvision.io import ImageReadMode, decode_jpeg, read_file
from torchvision.transforms import CenterCrop, Compose, InterpolationMode, Resize


def versions():
    return {"torchvision": torchvision.__version__}


def loader(options):
    shrink = Compose([Resize(options.resize, interpolation=InterpolationMode.BILINEAR, antialias=True),
                      CenterCrop(options.size)])

    def load(path):
        return shrink(decode_jpeg(read_file(path), mode=ImageReadMode.RGB)).permute(1, 2, 0)

    return load
