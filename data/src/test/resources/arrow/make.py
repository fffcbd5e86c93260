"""Writes random tables with pyarrow, and what each value is as fields of samples: python3 make.py FOLDER FIRST COUNT.

Table n is n.arrow, a file or a stream, with or without compression; n.json has a line for each row: an object of fields, each
[element type, shape, bytes as hex], or null where the row has to be refused. Needs pyarrow and numpy.
"""
import json
import os
import random
import struct
import sys
from decimal import Decimal

import numpy
import pyarrow as pa

INTS = {pa.int8(): ("INT8", "b"), pa.uint8(): ("UINT8", "B"), pa.int16(): ("INT16", "h"), pa.uint16(): ("UINT16", "H"),
        pa.int32(): ("INT32", "i"), pa.uint32(): ("UINT32", "I"), pa.int64(): ("INT64", "q"), pa.uint64(): ("UINT64", "Q")}
FLOATS = {pa.float16(): ("FLOAT16", "e"), pa.float32(): ("FLOAT32", "f"), pa.float64(): ("FLOAT64", "d")}
BYTES = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(5)]
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
TIMES = [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]
STAMPS = [pa.timestamp(unit, zone) for unit in PER_SECOND for zone in (None, "Europe/Zurich")]
DECIMALS = [pa.decimal32(7, 2), pa.decimal64(15, 3), pa.decimal128(30, 4), pa.decimal256(60, 7), pa.decimal128(5, -2)]
SCALARS = [*INTS, *FLOATS, *BYTES, *TIMES, *STAMPS, *DECIMALS, pa.bool_(), pa.date32(), pa.date64(), pa.null()]


def scalar(r, t):
    """A value for pyarrow, and what it is: bytes."""
    if t in INTS:
        code = INTS[t][1]
        bits = 8 * struct.calcsize(code)
        low = -(1 << bits - 1) if code.islower() else 0
        value = r.choice([low, low + (1 << bits) - 1, 0, 1, r.randrange(low, low + (1 << bits))])
        return value, struct.pack("<" + code, value)
    if t in FLOATS:
        code = FLOATS[t][1]
        packed = struct.pack("<" + code, r.choice([0.0, -1.5, r.uniform(-1e4, 1e4)]))
        value = struct.unpack("<" + code, packed)[0]
        return (numpy.float16(value) if code == "e" else value), packed
    if t == pa.bool_():
        value = r.random() < 0.5
        return value, bytes([value])
    if pa.types.is_fixed_size_binary(t):
        value = r.randbytes(t.byte_width)
        return value, value
    if t in BYTES:
        text = r.choice(["", "a", "wörd", "x" * r.randrange(40), f"{r.random()}", "twelve bytes", "thirteen byte"])
        return (text if "string" in str(t) else text.encode()), text.encode()
    if t == pa.date32() or t == pa.date64():
        days = r.randrange(-100_000, 100_000)
        return (days if t == pa.date32() else days * 86_400_000), date(days).encode()
    if t in TIMES:
        per = PER_SECOND[t.unit]
        value = r.randrange(86_400 * per)
        return value, clock(value // per, value % per, per).encode()
    if t in STAMPS:
        per = PER_SECOND[t.unit]
        value = r.randrange(-2_000_000_000 * per, 2_000_000_000 * per)
        seconds = value // per
        text = f"{date(seconds // 86_400)}T{clock(seconds % 86_400, value % per, per)}"
        return value, (text + ("Z" if t.tz else "")).encode()
    digits = r.randrange(-10**t.precision + 1, 10**t.precision)
    value = Decimal(digits).scaleb(-t.scale, __import__("decimal").Context(prec=80))
    return value, format(value, "f").encode()


def date(days):
    return str(numpy.datetime64(days, "D"))


def clock(seconds, fraction, per):
    part = f"{fraction:0{len(str(per)) - 1}d}".rstrip("0") if per > 1 else ""
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}" + (f".{part}" if part else "")


def random_type(r, depth):
    kind = r.randrange(10) if depth < 3 else 9
    if kind == 0:
        return pa.list_(random_type(r, depth + 1))
    if kind == 1:
        return pa.large_list(random_type(r, depth + 1))
    if kind == 2:
        return pa.list_(random_type(r, depth + 1), r.randrange(3))
    if kind == 3:
        return pa.struct([(name, random_type(r, depth + 1)) for name in "xyz"[:1 + r.randrange(3)]])
    if kind == 4 and depth == 0:
        return pa.map_(pa.string(), random_type(r, depth + 1))
    if kind == 5:
        return pa.dictionary(r.choice([pa.int8(), pa.int16(), pa.int32(), pa.int64()]), r.choice([pa.string(), pa.int32(), pa.large_binary()]))
    return r.choice(SCALARS)


class Null:
    pass


def value(r, t, nulls):
    """A value for pyarrow, and the same with bytes in place of what it is made of."""
    if t == pa.null() or r.random() < nulls:
        return None, Null
    if pa.types.is_struct(t):
        parts = {field.name: value(r, field.type, nulls) for field in t}
        return {name: part[0] for name, part in parts.items()}, {name: part[1] for name, part in parts.items()}
    if pa.types.is_map(t):
        entries = [((f"k{i}", f"k{i}".encode()), value(r, t.item_type, nulls)) for i in range(r.randrange(4))]
        return [(key[0], item[0]) for key, item in entries], [{"key": key[1], "value": item[1]} for key, item in entries]
    if pa.types.is_fixed_size_list(t) or pa.types.is_list(t) or pa.types.is_large_list(t):
        count = t.list_size if pa.types.is_fixed_size_list(t) else r.choice([0, 1, 2, 2, 2, 5])
        items = [value(r, t.value_type, nulls) for _ in range(count)]
        return [item[0] for item in items], [item[1] for item in items]
    return scalar(r, t.value_type if pa.types.is_dictionary(t) else t)


def leaves(name, t, steps=()):
    """The name, the steps and the type of everything that holds values."""
    if pa.types.is_struct(t):
        return [leaf for field in t for leaf in leaves(f"{name}.{field.name}", field.type, (*steps, field.name))]
    if pa.types.is_map(t):
        return leaves(f"{name}.key", t.key_type, (*steps, list, "key")) + leaves(f"{name}.value", t.item_type, (*steps, list, "value"))
    if pa.types.is_fixed_size_list(t) or pa.types.is_list(t) or pa.types.is_large_list(t):
        return leaves(name, t.value_type, (*steps, list))
    return [(name, steps, t.value_type if pa.types.is_dictionary(t) else t)]


class Refused(Exception):
    pass


def gathered(node, steps, found, extents, level=0):
    if node is Null:
        if level and list in steps:
            raise Refused
        found.append(Null)
    elif not steps:
        found.append(node)
    elif steps[0] is list:
        if extents.setdefault(level, len(node)) != len(node):
            raise Refused
        for item in node:
            gathered(item, steps[1:], found, extents, level + 1)
    else:
        gathered(node[steps[0]], steps[1:], found, extents, level)


def fields(row, columns):
    """What the row is as a sample; None if an array cannot hold it."""
    sample = {}
    try:
        for column, t in columns:
            for name, steps, leaf in leaves(column, t):
                found, extents = [], {}
                gathered(row[column], steps, found, extents)
                depth = steps.count(list)
                if not depth and found == [Null] or depth and not extents:
                    continue
                if Null in found:
                    raise Refused
                shape = [extents.get(level, 0) for level in range(depth)]
                number = INTS.get(leaf) or FLOATS.get(leaf) or (leaf == pa.bool_() and ("BOOL", "?"))
                sample[name] = [number[0] if number else "", shape, b"".join(found).hex()]
                if depth and not number:
                    sample[name + ".lengths"] = ["INT64", shape, b"".join(struct.pack("<q", len(each)) for each in found).hex()]
    except Refused:
        return None
    return sample


def write(folder, seed):
    r = random.Random(seed)
    columns = [(f"c{i}", random_type(r, 0)) for i in range(1 + r.randrange(5))]
    schema = pa.schema([pa.field(name, t) for name, t in columns])
    nulls = r.choice([0, 0, 0.1, 0.3])
    options = pa.ipc.IpcWriteOptions(compression=r.choice([None, "lz4", "zstd"]), emit_dictionary_deltas=r.random() < 0.5,
                                     unify_dictionaries=False)
    stream = r.random() < 0.5 or any(pa.types.is_nested(t) or pa.types.is_dictionary(t) for _, t in columns)
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with open(f"{folder}/{seed}.json", "w") as expected, pa.OSFile(f"{folder}/{seed}.arrow", "wb") as sink, \
            new(sink, schema, options=options) as writer:
        for _ in range(1 + r.randrange(3)):
            rows = [{name: value(r, t, nulls) for name, t in columns} for _ in range(r.choice([0, 1, 7, 30]))]
            arrays = [pa.array([row[name][0] for row in rows], type=t) for name, t in columns]
            start = r.randrange(2) if rows else 0      # a slice has offsets that do not begin with 0
            writer.write_batch(pa.record_batch(arrays, schema=schema).slice(start))
            for row in rows[start:]:
                expected.write(json.dumps(fields({name: part[1] for name, part in row.items()}, columns)) + "\n")


def long_buffers(folder):
    """Buffers of several blocks of LZ4, which depend on each other."""
    table = pa.table({"n": pa.array([i * (i // 1000) for i in range(20_000)], pa.int64())})
    for codec in ("lz4", "zstd"):
        with pa.OSFile(f"{folder}/long-{codec}.arrow", "wb") as sink, \
                pa.ipc.new_file(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression=codec)) as writer:
            writer.write_table(table)


def hugging_face(folder):
    """As `save_to_disk` of the library `datasets` writes a dataset of images with two splits."""
    pixels = struct.pack("<2sIHHIIiiHHIIIIII", b"BM", 70, 0, 0, 54, 40, 2, 2, 1, 24, 0, 16, 0, 0, 0, 0) + bytes(range(16))
    features = {"info": {"features": {"image": {"_type": "Image"}, "label": {"names": ["cat", "dog"], "_type": "ClassLabel"}}}}
    schema = pa.schema([("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])), ("label", pa.int64())],
                       metadata={"huggingface": json.dumps(features)})
    for split, count in (("train", 5), ("test", 2)):
        rows = [{"image": {"bytes": pixels, "path": f"{i}.bmp"}, "label": i % 2} for i in range(count)]
        os.makedirs(f"{folder}/saved/{split}")
        with pa.OSFile(f"{folder}/saved/{split}/data-00000-of-00001.arrow", "wb") as sink, pa.ipc.new_stream(sink, schema) as writer:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
        for name in ("dataset_info.json", "state.json"):
            with open(f"{folder}/saved/{split}/{name}", "w") as file:
                file.write("{}")
    with open(f"{folder}/saved/dataset_dict.json", "w") as file:
        file.write('{"splits": ["train", "test"]}')


if __name__ == "__main__":
    target, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for each in range(first, first + count):
        write(target, each)
    if first == 0:
        long_buffers(target)
        hugging_face(target)
