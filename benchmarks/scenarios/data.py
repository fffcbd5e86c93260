"""All that concerns data, in one run: the scenarios `orders`, `storage`, `remote` and `shards`.

Orders of a billion samples against numpy's; reads behind latency and faults; WebDataset tar and Parquet against tarfile and pyarrow, and images from tar
against images from files.
"""
from scenarios import orders, remote, shards, storage

OURS = "jspdl"
PARTS = (orders, storage, remote, shards)


def add_options(parser):
    for part in PARTS:
        part.add_options(parser)


def setting(options):
    return {key: value for part in PARTS for key, value in part.setting(options).items()}


def contestants(options):
    return [contestant for part in PARTS for contestant in part.contestants(options)]


def summary(results):
    return storage.summary([result for result in results if "notes" in result])
