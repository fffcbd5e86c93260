"""Makes HEIC files, and what libheif makes of them, as raw numbers.

Run from the module's folder, with Pillow 9.4 and libheif's heif-enc and heif-convert 1.15 (with x265):
/usr/bin/python3 src/test/python/heic.py
"""
import pathlib
import struct
import subprocess
import tempfile

import numpy
from PIL import Image

RESOURCES = pathlib.Path("src/test/resources")
TILE = 64


def children(data, start, end):
    while start + 8 <= end:
        size, kind = struct.unpack(">I4s", data[start:start + 8])
        yield kind.decode(), start + 8, start + size
        start += size


def content(data, path, start=0, end=None):
    for kind, first, last in children(data, start, len(data) if end is None else end):
        if kind == path[0]:
            first += 4 if kind == "meta" else 0
            return data[first:last] if len(path) == 1 else content(data, path[1:], first, last)
    raise KeyError(path)


def box(kind, *parts):
    data = b"".join(parts)
    return struct.pack(">I4s", 8 + len(data), kind.encode()) + data


def full(kind, version, flags, *parts):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def grid(files, columns, width, height, *properties):
    """The pictures of files as tiles of one picture, which has these properties."""
    tiles = [pathlib.Path(file).read_bytes() for file in files]
    setup = content(tiles[0], ["meta", "iprp", "ipco", "hvcC"])
    assert all(content(tile, ["meta", "iprp", "ipco", "hvcC"]) == setup for tile in tiles)
    coded = [content(tile, ["mdat"]) for tile in tiles]
    count = len(tiles)
    whole = count + 1
    boxes = [box("hvcC", setup), full("ispe", 0, 0, struct.pack(">II", TILE, TILE)),
             full("ispe", 0, 0, struct.pack(">II", width, height)), *properties]
    links = [struct.pack(">HBBB", i + 1, 2, 0x81, 2) for i in range(count)]
    links.append(struct.pack(">HB", whole, len(boxes) - 2) + bytes([3]) + bytes(0x84 + i for i in range(len(properties))))
    kinds = [full("infe", 2, 1, struct.pack(">HH", i + 1, 0), b"hvc1\0") for i in range(count)]
    kinds.append(full("infe", 2, 0, struct.pack(">HH", whole, 0), b"grid\0"))

    def head(offset):
        places = b""
        for i, data in enumerate(coded):
            places += struct.pack(">HHHHII", i + 1, 0, 0, 1, offset, len(data))
            offset += len(data)
        places += struct.pack(">HHHHII", whole, 1, 0, 1, 0, 8)
        return box("ftyp", b"heic\0\0\0\0mif1heic") + full(
            "meta", 0, 0,
            full("hdlr", 0, 0, b"\0\0\0\0pict" + bytes(13)),
            full("pitm", 0, 0, struct.pack(">H", whole)),
            full("iloc", 1, 0, struct.pack(">HH", 0x4400, whole), places),
            full("iinf", 0, 0, struct.pack(">H", whole), *kinds),
            full("iref", 0, 0, box("dimg", struct.pack(">HH", whole, count),
                                   *[struct.pack(">H", i + 1) for i in range(count)])),
            box("iprp", box("ipco", *boxes), full("ipma", 0, 0, struct.pack(">I", whole), *links)),
            box("idat", struct.pack(">BBBBHH", 0, 0, count // columns - 1, columns - 1, width, height)))

    return head(len(head(0)) + 8) + box("mdat", *coded)


def aperture(width, height, right, down):
    """A part of the picture, whose middle is so many half pixels from that of the picture."""
    return box("clap", struct.pack(">IIIIiIiI", width, 1, height, 1, right, 2, down, 2))


def encode(target, source, *options):
    subprocess.run(["heif-enc", "-o", str(target), *options, str(source)], check=True, capture_output=True)


def decoded(name, folder):
    png = f"{folder}/{name}.png"
    subprocess.run(["heif-convert", str(RESOURCES / f"heic/{name}.heic"), png], check=True, capture_output=True)
    pixels = numpy.asarray(Image.open(png))
    numpy.ascontiguousarray(pixels).tofile(RESOURCES / "reference" / f"heic-{name}.bin")


(RESOURCES / "heic").mkdir(exist_ok=True)
with tempfile.TemporaryDirectory() as scratch:
    rgba = Image.open(RESOURCES / "png/rgba-37x29.png").convert("RGBA")
    rgba.save(f"{scratch}/rgba.png")
    rgba.convert("RGB").save(f"{scratch}/rgb.png")
    rgba.convert("L").save(f"{scratch}/gray.png")
    encode(RESOURCES / "heic/lossless.heic", f"{scratch}/rgb.png", "-L", "-p", "chroma=444", "--matrix_coefficients=0")
    encode(RESOURCES / "heic/709.heic", f"{scratch}/rgb.png", "-q", "95", "-p", "chroma=444",
           "--matrix_coefficients", "1", "--full_range_flag", "0")
    encode(RESOURCES / "heic/alpha.heic", f"{scratch}/rgba.png", "-q", "95", "-p", "chroma=444")
    encode(RESOURCES / "heic/gray.heic", f"{scratch}/gray.png", "-q", "95")
    encode(RESOURCES / "heic/10bit.heic", RESOURCES / "png/rgb16-37x29.png", "-q", "95", "-b", "10", "-p", "chroma=444")
    for name in ("lossless", "709", "alpha", "gray"):
        decoded(name, scratch)

    # 3 x 2 tiles of which a part is shown, turned by a quarter and then mirrored
    rows, columns = numpy.mgrid[0:2 * TILE, 0:3 * TILE].astype(float)
    smooth = numpy.stack([columns * 255 / 191, rows * 2, 128 + 100 * numpy.sin(columns / 30) * numpy.cos(rows / 25)], 2)
    files = []
    for top in range(0, 2 * TILE, TILE):
        for left in range(0, 3 * TILE, TILE):
            tile = f"{scratch}/{top}-{left}"
            Image.fromarray(smooth[top:top + TILE, left:left + TILE].astype(numpy.uint8)).save(tile + ".png")
            encode(tile + ".heic", tile + ".png", "-q", "85", "-p", "chroma=420")
            files.append(tile + ".heic")
    (RESOURCES / "heic/grid.heic").write_bytes(
        grid(files, 3, 180, 120, aperture(100, 61, -4, 1), box("irot", b"\1"), box("imir", b"\0")))
    decoded("grid", scratch)
