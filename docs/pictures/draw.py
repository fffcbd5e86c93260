"""Draws what loaders yield, for docs/gallery.md: python3 docs/pictures/draw.py FOLDER OUT. Needs jspdl, NumPy, Pillow and ffmpeg.

FOLDER is for the data that the pictures are of, which this makes; OUT is where they go.
"""
import colorsys
import io
import os
import random
import subprocess
import sys
import tarfile

import jspdl
import numpy as np
from PIL import Image, ImageDraw, ImageFont

INK, PAPER, FAINT = (40, 44, 52), (255, 255, 255), (225, 228, 233)
FONT = ImageFont.load_default(13)


def main(folder, out):
    os.makedirs(folder, exist_ok=True)
    clips(os.path.join(folder, "clips"), os.path.join(out, "clips.png"))
    sounds(os.path.join(folder, "sounds"), os.path.join(out, "sounds.png"))
    packed(os.path.join(folder, "corpus.txt"), os.path.join(out, "packed.png"))
    captions(os.path.join(folder, "photos"), os.path.join(folder, "pairs.tar"), os.path.join(out, "captions.png"))
    ranks(os.path.join(folder, "photos"), os.path.join(out, "ranks.png"))


def canvas(width, height):
    image = Image.new("RGB", (width, height), PAPER)
    return image, ImageDraw.Draw(image)


def save(image, file):
    image.quantize(160, dither=Image.Dither.FLOYDSTEINBERG).save(file, optimize=True)


def hue(part, of, light=0.62):
    return tuple(round(255 * value) for value in colorsys.hls_to_rgb(part / of, light, 0.6))


def clips(folder, file):
    """Rows of the eight frames of a clip."""
    os.makedirs(folder, exist_ok=True)
    for name, source in (("zoom", "mandelbrot=size=320x240:rate=25"), ("life", "life=size=160x120:rate=25:mold=10:death_color=#C83232:life_color=#00ff00:s=320x240"),
                         ("test", "testsrc2=size=320x240:rate=25"), ("gradients", "gradients=size=320x240:rate=25:speed=0.05:seed=4")):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, "-t", "3", "-pix_fmt", "yuv420p", os.path.join(folder, name + ".mp4")], check=True)
    with jspdl.video(folder, glob="**/*.mp4", frames=8, sampling="evenly", size=112, layout="tchw", dtype="uint8", batch_size=4, arrays="numpy", epochs=1) as loader:
        batch = next(iter(loader))["video"].copy()
    rows, frames, _, height, width = batch.shape
    image, _ = canvas(frames * (width + 4) - 4, rows * (height + 4) - 4)
    for row in range(rows):
        for frame in range(frames):
            image.paste(Image.fromarray(batch[row, frame].transpose(1, 2, 0)), (frame * (width + 4), row * (height + 4)))
    save(image, file)


def sounds(folder, file):
    """The waveforms of a batch, and where each sound ends."""
    os.makedirs(folder, exist_ok=True)
    chirps = ("0.6*sin(2*PI*(80*t+60*t*t))*exp(-t)", "0.5*sin(2*PI*220*t)*sin(2*PI*3*t)", "0.7*exp(-6*mod(t\\,0.4))*sin(2*PI*330*t)", "0.4*(random(0)-0.5)+0.4*sin(2*PI*5*t)*sin(2*PI*180*t)")
    for number, (chirp, seconds) in enumerate(zip(chirps, (3.2, 1.4, 2.3, 0.9))):
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", f"aevalsrc='{chirp}':s=16000:d={seconds}", os.path.join(folder, f"{number}.flac")], check=True)
    with jspdl.audio(folder, glob="**/*.flac", sample_rate=16_000, channels=1, batch_size=4, arrays="numpy", epochs=1) as loader:
        batch = next(iter(loader))
        audio, lengths = batch["audio"].copy(), batch["audio_length"].copy()
    audio = audio.reshape(len(lengths), -1)
    width, height = 920, 76
    image, draw = canvas(width, len(lengths) * height)
    for row, (wave, length) in enumerate(zip(audio, lengths)):
        middle, end = row * height + height // 2, round(width * length / audio.shape[1])
        draw.rectangle((end, row * height + 4, width, (row + 1) * height - 5), fill=FAINT)
        if width - end > 130:
            draw.text((end + 10, middle - 8), f"padding, from {length:,}", fill=INK, font=FONT)
        for x, part in enumerate(np.array_split(wave, width)):
            if x < end:
                draw.line((x, middle - part.max() * height * 0.6, x, middle - part.min() * height * 0.6), fill=hue(0.58, 1, 0.5))
    save(image, file)


def packed(corpus, file):
    """Sequences of packed documents, a color for each document: cut where a sequence is full, and whole."""
    chance = random.Random(5)
    with open(corpus, "w", encoding="utf-8") as text:
        for _ in range(90):
            text.write("".join(chance.choice("abcdefgh") for _ in range(min(500, round(chance.lognormvariate(4.6, 0.8))))) + "\n")
    height, scale = 22, 0.88
    image, draw = canvas(924, 8 * height + 22)
    for side, (pack, title) in enumerate((("concatenate", "concatenated: cut where a sequence is full"), ("best-fit", "best fit: whole documents, gray is padding"))):
        with jspdl.text(corpus, length=512, batch_size=8, unit="line", pack=pack, arrays="numpy", epochs=1) as loader:
            documents = next(iter(loader))["documents"].copy()
        draw.text((side * 468, 2), title, fill=INK, font=FONT)
        for row, places in enumerate(documents):
            edges = [0, *(np.flatnonzero(np.diff(places)) + 1), len(places)]
            for number, (begin, end) in enumerate(zip(edges, edges[1:])):
                color = FAINT if places[begin] == 0 else hue((row * 0.37 + number * 0.21) % 1, 1)
                draw.rectangle((side * 468 + begin * scale, 22 + row * height, max(side * 468 + begin * scale, side * 468 + end * scale - 2), 18 + (row + 1) * height), fill=color)
    save(image, file)


def captions(photos, shard, file):
    """Pictures above their captions."""
    names = sorted(os.path.join(folder, name) for folder, _, files in os.walk(photos) for name in files if name.endswith(".jpg"))[::11][:8]
    with tarfile.open(shard, "w") as tar:
        for number, name in enumerate(names):
            add(tar, f"{number:04}.jpg", open(name, "rb").read())
            add(tar, f"{number:04}.txt", f"a photograph of {os.path.basename(os.path.dirname(name)).replace('_', ' ')}".encode())
    with jspdl.shards(shard, columns=["jpg", "txt"], text=["txt"], image={"size": 112, "dtype": "uint8", "layout": "nhwc"}, batch_size=8, arrays="numpy", epochs=1) as loader:
        batch = next(iter(loader))
        pictures, words = batch["image"].copy(), list(batch["txt"])
    image, draw = canvas(8 * 116 - 4, 112 + 40)
    for number, (picture, text) in enumerate(zip(pictures, words)):
        image.paste(Image.fromarray(picture), (number * 116, 0))
        head, tail = text[:14].rsplit(" ", 1)[0], text[len(text[:14].rsplit(" ", 1)[0]):].strip()
        draw.text((number * 116 + 2, 115), head, fill=INK, font=FONT)
        draw.text((number * 116 + 2, 131), tail[:17], fill=INK, font=FONT)
    save(image, file)


def add(tar, name, content):
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))


def ranks(photos, file):
    """Which rank loads which place of an epoch: two ranks, and behind the dashed line three that go on."""
    options = {"size": 8, "dtype": "uint8", "batch_size": 4, "shuffle": True, "seed": 7, "arrays": "numpy", "epochs": 1}
    owners, states = {}, []
    for rank in range(2):
        with jspdl.images(photos, rank=rank, world_size=2, **options) as loader:
            batches = iter(loader)
            for _ in range(8):
                owners.update((int(place), hue(rank, 5)) for place in next(batches)["index"])
            states.append(loader.state_dict())
    before = set(owners)
    for rank in range(3):
        with jspdl.images(photos, rank=rank, world_size=3, resume_from=states, **options) as loader:
            for batch in loader:
                for place in batch["index"]:
                    assert int(place) not in owners, place
                    owners[int(place)] = hue(2 + rank, 5)
    across, side = 40, 22
    order = sorted(before) + sorted(set(owners) - before)
    image, draw = canvas(across * side, (len(order) + across - 1) // across * side + 26)
    for number, place in enumerate(order):
        x, y = number % across * side, number // across * side
        draw.rectangle((x + 1, y + 1, x + side - 2, y + side - 2), fill=owners[place])
    y = image.height - 20
    for rank, words in enumerate(("rank 0 of 2", "rank 1 of 2", "rank 0 of 3", "rank 1 of 3", "rank 2 of 3")):
        draw.rectangle((rank * 130, y, rank * 130 + 14, y + 14), fill=hue(rank, 5))
        draw.text((rank * 130 + 20, y - 1), words, fill=INK, font=FONT)
    save(image, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
