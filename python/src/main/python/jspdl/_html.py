"""How a loader looks in a notebook: what it is, and a contact sheet of its first batch."""
import base64
import html
import struct
import zlib

MOST_IMAGES = 32
COLUMNS = 8
MOST_PIXELS = 96        # of the longer side of an image on the sheet
GAP = 2


def page(loader):
    """HTML of a loader; the sheet is made by a loader process of its own, so that nothing of this one is taken."""
    try:
        batch = loader._first()
        drawn = picture(batch)
    except Exception as failure:    # a notebook shows the loader, whatever is wrong with its data
        batch, drawn = None, f"<p>{html.escape(f'{type(failure).__name__}: {failure}')}</p>"
    return f"<pre>{html.escape(repr(loader))}</pre>{table(batch)}{drawn}"


def table(batch):
    """Names, types and shapes of what is in a batch."""
    if not isinstance(batch, dict):
        return ""
    rows = "".join(f"<tr><td>{html.escape(str(name))}</td><td>{html.escape(described(value))}</td></tr>" for name, value in batch.items())
    return f"<table><tr><th>field</th><th>of the first batch</th></tr>{rows}</table>"


def described(value):
    if hasattr(value, "dtype"):
        return f"{value.dtype} {list(value.shape)}"
    return f"{type(value).__name__} of {len(value)}" if isinstance(value, (list, tuple)) else type(value).__name__


def picture(batch):
    """The images of a batch as an `img` that holds them; empty without images, or without NumPy."""
    images = batch.get("image") if isinstance(batch, dict) else None
    if images is None or getattr(images, "ndim", 0) != 4 or not len(images):
        return ""
    sheet = contact_sheet(images)
    return f'<img alt="the first images" src="data:image/png;base64,{base64.b64encode(png(sheet)).decode("ascii")}">'


def contact_sheet(images):
    """Images [N, 3, height, width] or [N, height, width, 3] of any type as one of bytes [height, width, 3]."""
    import numpy
    chosen = images[:MOST_IMAGES]
    if chosen.shape[1] in (1, 3) and chosen.shape[3] not in (1, 3):
        chosen = chosen.transpose(0, 2, 3, 1)
    step = -(-max(chosen.shape[1:3]) // MOST_PIXELS)
    chosen = chosen[:, ::step, ::step]
    if chosen.dtype == numpy.uint16:        # bfloat16, of which NumPy has the bits
        chosen = (chosen.astype(numpy.uint32) << 16).view(numpy.float32)
    if chosen.dtype != numpy.uint8:
        chosen = chosen.astype(numpy.float32)
        least, most = float(chosen.min()), float(chosen.max())
        if least < 0 or most > 1:           # normalized: all by the same measure
            chosen = (chosen - least) / max(most - least, 1e-12)
        chosen = (chosen * 255 + 0.5).astype(numpy.uint8)
    if chosen.shape[3] == 1:
        chosen = chosen.repeat(3, axis=3)
    count, height, width, _ = chosen.shape
    columns = min(COLUMNS, count)
    rows = -(-count // columns)
    sheet = numpy.full((rows * (height + GAP) - GAP, columns * (width + GAP) - GAP, 3), 255, numpy.uint8)
    for n in range(count):
        top, left = n // columns * (height + GAP), n % columns * (width + GAP)
        sheet[top:top + height, left:left + width] = chosen[n]
    return sheet


def png(pixels):
    """A PNG file of bytes [height, width, 3]."""
    height, width, _ = pixels.shape
    lines = b"".join(b"\0" + pixels[y].tobytes() for y in range(height))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")
