"""Makes the files in src/test/resources/reference: what torchvision and Pillow make of the test pictures, as raw bytes.

Run from the module's folder, with torchvision 0.14 and Pillow 9.4: /usr/bin/python3 src/test/python/references.py
"""
import numpy
import torchvision.transforms.functional as F
from PIL import Image, ImageOps

RESOURCES = "src/test/resources/"
BILINEAR, BICUBIC, BOX = F.InterpolationMode.BILINEAR, F.InterpolationMode.BICUBIC, F.InterpolationMode.BOX


def load(name):
    return Image.open(RESOURCES + name).convert("RGB")


def save(name, image):
    numpy.asarray(image).tofile(RESOURCES + "reference/" + name + ".bin")


png = load("png/rgb-61x47.png")
jpeg = load("jpeg/420-121x87.jpg")
save("png-shorter32-crop24", F.center_crop(F.resize(png, 32, BILINEAR), [24, 24]))
save("png-exact20x90", F.resize(png, [90, 20], BILINEAR))
save("png-bicubic-exact25x33", F.resize(png, [33, 25], BICUBIC))
save("png-bicubic-exact90x70", F.resize(png, [70, 90], BICUBIC))
save("png-area-exact20x15", F.resize(png, [15, 20], BOX))
save("png-crop-7-5-40-30-to-24x24", F.resized_crop(png, 5, 7, 30, 40, [24, 24], BILINEAR))
save("png-crop-7-5-40-30-to-24x24-flipped", F.hflip(F.resized_crop(png, 5, 7, 30, 40, [24, 24], BILINEAR)))
save("png-crop70", F.center_crop(png, [70, 70]))
save("jpeg-shorter48-crop40", F.center_crop(F.resize(jpeg, 48, BILINEAR), [40, 40]))
save("jpeg-bicubic-shorter48-crop40", F.center_crop(F.resize(jpeg, 48, BICUBIC), [40, 40]))
save("jpeg-crop-31-11-64-57-to-32x32", F.resized_crop(jpeg, 11, 31, 57, 64, [32, 32], BILINEAR))
for orientation in range(1, 9):
    upright = ImageOps.exif_transpose(Image.open(RESOURCES + f"jpeg/orientation-{orientation}.jpg"))
    save(f"orientation-{orientation}-exact33x21", F.resize(upright, [21, 33], BILINEAR))
    save(f"orientation-{orientation}-crop", F.resized_crop(upright, 3, 5, 30, 20, [16, 16], BILINEAR))
save("cmyk-90x70", load("jpeg/cmyk-90x70.jpg"))


def hue(image, turn):
    """torchvision's tensor version: Pillow's own works with hues of 8 bits"""
    return F.to_pil_image(F.adjust_hue(F.pil_to_tensor(image), turn))


save("color-brightness", F.adjust_brightness(png, 1.3))
save("color-contrast", F.adjust_contrast(png, 0.6))
save("color-saturation", F.adjust_saturation(png, 1.7))
save("color-hue", hue(png, -0.2))
save("color-all", hue(F.adjust_saturation(F.adjust_contrast(F.adjust_brightness(png, 1.3), 0.6), 1.7), -0.2))
save("color-gray", F.to_grayscale(png, 3))
