"""Makes shards, and reads them as Python programs do: the peer of ShardPasses.java.

shards.py write FOLDER        a tar of many small samples by tarfile, and a Parquet table by pyarrow
shards.py tar PATTERN         every file of every archive, by tarfile
shards.py parquet FILE COLUMN by pyarrow, batch by batch, every value as a Python object (rows) or every batch as NumPy (arrays)
"""
import glob
import io
import json
import pathlib
import random
import sys
import tarfile
import time

PASSES = 3
SMALL, ROWS = 40_000, 400_000


def write(folder):
    import pyarrow
    import pyarrow.parquet
    rng = random.Random(6)
    with tarfile.open(folder / "small-000000.tar", "w") as tar:
        for i in range(SMALL):
            for ending, content in (("txt", rng.randbytes(300 + i % 700)), ("cls", str(i % 10).encode())):
                info = tarfile.TarInfo(f"{i:06d}.{ending}")
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    table = pyarrow.table({
        "id": pyarrow.array(range(ROWS), pyarrow.int64()),
        "label": pyarrow.array((rng.randrange(1000) for _ in range(ROWS)), pyarrow.int64()),
        "weight": pyarrow.array((rng.random() for _ in range(ROWS)), pyarrow.float64()),
        "payload": pyarrow.array((rng.randbytes(400) for _ in range(ROWS)), pyarrow.binary()),
    })
    pyarrow.parquet.write_table(table, folder / "table.parquet", row_group_size=50_000, compression="zstd", use_dictionary=False)


def tar(pattern):
    samples, last, total = 0, None, 0
    for shard in sorted(glob.glob(pattern)):
        with tarfile.open(shard) as archive:
            for entry in archive:
                content = archive.extractfile(entry).read()
                total += content[0] + content[-1]
                key = entry.name.rsplit(".", 1)[0]
                samples += key != last
                last = key
    return samples


def rows(file, column):
    import pyarrow.parquet
    count = 0
    for batch in pyarrow.parquet.ParquetFile(file).iter_batches(columns=[column], use_threads=False):
        for row in batch.to_pylist():
            count += row[column] is not None
    return count


def arrays(file, column):
    import pyarrow.parquet
    count = 0
    for batch in pyarrow.parquet.ParquetFile(file).iter_batches(columns=[column], use_threads=False):
        count += len(batch.column(0).to_numpy(zero_copy_only=False))
    return count


def main():
    kind, *arguments = sys.argv[1:]
    if kind == "write":
        write(pathlib.Path(arguments[0]))
        return
    versions = {"event": "versions", "python": sys.version.split()[0]}
    if kind != "tar":
        import pyarrow
        versions["pyarrow"] = pyarrow.__version__
    print(json.dumps(versions), flush=True)
    print(json.dumps({"event": "first_batch"}), flush=True)
    read = {"tar": tar, "rows": rows, "arrays": arrays}[kind]
    for _ in range(PASSES):
        start, cpu = time.perf_counter(), time.process_time()
        items = read(*arguments)
        print(json.dumps({"event": "epoch", "items": items, "seconds": time.perf_counter() - start,
                          "cpu_seconds": time.process_time() - cpu}), flush=True)


if __name__ == "__main__":
    main()
