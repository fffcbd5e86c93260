"""The loader for those who want a dataset of PyTorch."""
from torch.utils.data import IterableDataset, get_worker_info


class LoaderDataset(IterableDataset):
    """A loader, to be given to `DataLoader(dataset, batch_size=None, num_workers=0)` or to what asks for a dataset."""

    def __init__(self, loader):
        super().__init__()
        self.loader = loader

    def __iter__(self):
        if get_worker_info() is not None:
            raise RuntimeError("the loader is parallel by itself: use num_workers=0")
        return iter(self.loader)

    def __len__(self):
        return len(self.loader)

    def state_dict(self):
        return self.loader.state_dict()

    def load_state_dict(self, state):
        self.loader.load_state_dict(state)
