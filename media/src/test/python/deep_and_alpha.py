"""Makes test pictures with 16 bits, alpha, AVIF and animation, and what others make of them, as raw numbers.

Run from the module's folder, with OpenCV 4.6, torchvision 0.14, Pillow 9.4 and libavif's avifenc and avifdec 0.11:
/usr/bin/python3 src/test/python/deep_and_alpha.py
"""
import pathlib
import subprocess
import tempfile

import cv2
import numpy
import torch
import torchvision.transforms.functional as F
from PIL import Image

RESOURCES = pathlib.Path("src/test/resources")
WIDTH, HEIGHT = 37, 29
y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH].astype(numpy.float64)
red = 32767 + 32000 * numpy.sin(x / 5) * numpy.cos(y / 7)
green = 65535 * x / (WIDTH - 1)
blue = 65535 * ((x - 18) ** 2 + (y - 14) ** 2 < 120) * 0.9 + 1000
alpha = 65535 * numpy.clip(1.2 - numpy.hypot(x - 18, y - 14) / 18, 0, 1)
deep = numpy.stack([red, green, blue, alpha], axis=2).astype(numpy.uint16)
flat = (deep // 257).astype(numpy.uint8)


def save(name, array):
    numpy.ascontiguousarray(array).tofile(RESOURCES / "reference" / f"{name}.bin")


def bgr(pixels):
    return pixels[..., [2, 1, 0, 3][:pixels.shape[2]]]


def resized(pixels, height, width):
    """torchvision's antialiased resize, on floating-point tensors"""
    tensor = torch.from_numpy(pixels.astype(numpy.float32)).permute(2, 0, 1)
    return F.resize(tensor, [height, width], antialias=True).permute(1, 2, 0).numpy()


# 16 bits: as stored, and resized
cv2.imwrite(str(RESOURCES / "png/rgb16-37x29.png"), bgr(deep[..., :3]))
cv2.imwrite(str(RESOURCES / "png/rgba16-37x29.png"), bgr(deep))
cv2.imwrite(str(RESOURCES / "png/depth16-37x29.png"), deep[..., 0])
cv2.imwrite(str(RESOURCES / "tiff/rgb16-37x29.tiff"), bgr(deep[..., :3]))
cv2.imwrite(str(RESOURCES / "tiff/depth16-37x29.tiff"), deep[..., 0])
save("rgb16", deep[..., :3])
save("rgba16", deep)
save("depth16", deep[..., 0])
save("rgb16-exact16x12", numpy.rint(resized(deep[..., :3], 12, 16)).astype(numpy.uint16))
save("depth16-exact50x40", numpy.rint(resized(deep[..., :1], 40, 50)).astype(numpy.uint16))
alpha = deep[..., 3:] / 65535.0
white = deep[..., :3] * alpha + 65535 * (1 - alpha)
save("rgba16-on-white", numpy.rint(white).astype(numpy.uint16))
premultiplied = resized(numpy.concatenate([deep[..., :3] * alpha, deep[..., 3:]], axis=2), 12, 16)
divided = premultiplied[..., :3] / numpy.maximum(premultiplied[..., 3:], 1e-9) * 65535
save("rgba16-exact16x12", numpy.rint(numpy.concatenate([divided, premultiplied[..., 3:]], axis=2)).clip(0, 65535)
     .astype(numpy.uint16))

# alpha of 8 bits
picture = Image.fromarray(flat, "RGBA")
picture.save(RESOURCES / "png/rgba-37x29.png")
picture.save(RESOURCES / "webp/rgba-37x29.webp", lossless=True, exact=True)
save("rgba", flat)
save("rgba-exact16x12", numpy.asarray(picture.resize((16, 12), Image.BILINEAR)))
behind = Image.new("RGBA", picture.size, (200, 30, 90, 255))
composed = Image.alpha_composite(behind, picture).convert("RGB")
save("rgba-composed", numpy.asarray(composed))
save("rgba-composed-exact16x12", numpy.asarray(composed.resize((16, 12), Image.BILINEAR)))
picture.quantize(16, method=Image.Quantize.FASTOCTREE).save(RESOURCES / "png/palette-alpha-37x29.png")
save("palette-alpha", numpy.asarray(Image.open(RESOURCES / "png/palette-alpha-37x29.png").convert("RGBA")))

# an animation: its first picture counts
frames = [picture, picture.rotate(180)]
frames[0].save(RESOURCES / "webp/animated-37x29.webp", save_all=True, append_images=frames[1:], lossless=True, exact=True)

# AVIF, decoded by libavif
with tempfile.TemporaryDirectory() as folder:
    def avif(name, source, *options):
        target = RESOURCES / f"avif/{name}.avif"
        target.parent.mkdir(exist_ok=True)
        decoded = f"{folder}/{name}.png"
        subprocess.run(["avifenc", "--jobs", "1", *options, source, target], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["avifdec", "--jobs", "1", "--upsampling", "bilinear", target, decoded], check=True,
                       stdout=subprocess.DEVNULL)
        pixels = cv2.imread(decoded, cv2.IMREAD_UNCHANGED)
        save(f"avif-{name}", bgr(pixels) if pixels.ndim == 3 else pixels)

    rgb, rgba, rgb16 = f"{folder}/rgb.png", f"{folder}/rgba.png", str(RESOURCES / "png/rgb16-37x29.png")
    gray = f"{folder}/gray.png"
    picture.convert("RGB").save(rgb)
    picture.convert("L").save(gray)
    picture.save(rgba)
    avif("420", rgb, "--min", "5", "--max", "5", "--yuv", "420")
    avif("444-709", rgb, "--min", "2", "--max", "2", "--yuv", "444", "--cicp", "1/13/1", "--range", "limited")
    avif("lossless", rgb, "--lossless")
    avif("alpha", rgba, "--min", "5", "--max", "5", "--minalpha", "0", "--maxalpha", "0", "--yuv", "444")
    avif("10bit", rgb16, "--min", "2", "--max", "2", "--depth", "10", "--yuv", "444")
    avif("turned", rgb, "--min", "5", "--max", "5", "--irot", "1", "--imir", "0")
    avif("gray", gray, "--min", "5", "--max", "5", "--yuv", "400")

    # grids of 2 x 3 tiles: AvifTest knows what they show
    rows, columns = numpy.mgrid[0:192, 0:128]
    tiled = f"{folder}/tiled.png"
    gradient = numpy.stack([columns * 2, rows * 255 // 191, columns * 0 + 128, 255 - columns], axis=2)
    Image.fromarray(gradient.astype(numpy.uint8), "RGBA").save(tiled)
    for name, options in (("grid", ["--yuv", "420"]), ("grid-10bit", ["--yuv", "422", "--depth", "10"])):
        subprocess.run(["avifenc", "--jobs", "1", "--grid", "2x3", "--min", "0", "--max", "20", *options, tiled,
                        RESOURCES / f"avif/{name}.avif"], check=True, stdout=subprocess.DEVNULL)
