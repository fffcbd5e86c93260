#!/usr/bin/env python3
"""Makes the TFRecord file beside it from the format's description, with a CRC-32C computed bit by bit."""
import pathlib
import struct

RECORDS = [b"", b"a", b"The quick brown fox", bytes(range(256)) * 5]


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data):
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283      # the check value of RFC 3720
with open(pathlib.Path(__file__).resolve().parent / "records.tfrecord", "wb") as file:
    for record in RECORDS:
        length = struct.pack("<Q", len(record))
        file.write(length + struct.pack("<I", masked(length)) + record + struct.pack("<I", masked(record)))
