#!/usr/bin/env python3
"""Trains a small classifier on the sample dataset, on the CPU, and says what data loading still costs.

    PYTHONPATH=... python3 examples/python/train.py [--epochs 3] [--data FOLDER]
"""
import argparse
import time

import jspdl


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="a folder with one sub-folder for each class; the sample dataset without it")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--size", type=int, default=64)
    options = parser.parse_args()

    # Loading begins here, while PyTorch is imported and the model is built.
    loader = jspdl.images(options.data, size=options.size, batch_size=64, shuffle=True, seed=1, drop_last=True)
    import torch
    from torch import nn

    torch.manual_seed(1)
    torch.set_num_threads(1)        # the other processor loads
    model = nn.Sequential(
        nn.Conv2d(3, 16, 5, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.LazyLinear(64), nn.ReLU(), nn.LazyLinear(100))
    model(torch.zeros(1, 3, options.size, options.size))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

    def train(batches):
        """Seconds a step, and the share of images that were recognized before each step learned from them."""
        began, steps, right, seen = time.monotonic(), 0, 0, 0
        for batch in batches:
            output = model((batch["image"] - 0.5) * 2)
            loss = nn.functional.cross_entropy(output, batch["label"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            right += int((output.argmax(1) == batch["label"]).sum())
            seen += len(batch["label"])
            steps += 1
        return (time.monotonic() - began) / steps, right / seen

    seconds = 0.0
    with loader:
        for epoch in range(options.epochs):
            seconds, accuracy = train(loader)
            print(f"epoch {epoch}: {seconds * 1e3:.1f} ms a step, {accuracy:.0%} recognized", flush=True)
        print(loader.report())
        repeated = jspdl.repeat_batches(loader, 3, length=len(loader))
    best, _ = train(repeated)
    print(f"headroom: {seconds * 1e3:.1f} ms a step with the loader, {best * 1e3:.1f} ms with repeated batches: "
          f"loading costs {max(0.0, seconds / best - 1):.0%}")


if __name__ == "__main__":
    main()
