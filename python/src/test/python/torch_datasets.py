"""Datasets of PyTorch, for the tests."""
import os

import torch
from torch.utils.data import IterableDataset, TensorDataset, get_worker_info


class Shared(IterableDataset):
    """Each worker takes its part."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        worker = get_worker_info()
        return iter(range(worker.id, self.size, worker.num_workers))


def pairs(size):
    return TensorDataset(torch.arange(size, dtype=torch.float32)[:, None], torch.arange(size) % 2)


class Parts(IterableDataset):
    """What each iteration is told of its part: worker, its seed, rank and number of ranks."""

    def __iter__(self):
        worker = get_worker_info()
        yield torch.tensor([worker.id, worker.seed, int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])])


class Sized(Shared):
    """One that has a length, as many have that can only be iterated over."""

    def __len__(self):
        return self.size


class Sparse:
    """Sparse matrices of two dimensions, number n with n at the top left."""

    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= self.size:
            raise IndexError(index)
        return torch.sparse_coo_tensor([[0, 1], [0, 2]], [float(index), 5.0], (3, 4))


def dense(batch):
    return torch.stack([tensor.to_dense() for tensor in batch])
