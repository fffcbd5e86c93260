#!/usr/bin/env python3
"""Trains a linear classifier on the sample dataset with JAX. Not run in CI, where JAX is not installed.

    PYTHONPATH=... python3 examples/python/train_jax.py [--epochs 3] [--data FOLDER]
"""
import argparse

import jspdl


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", help="a folder with one sub-folder for each class; the sample dataset without it")
    parser.add_argument("--epochs", type=int, default=3)
    options = parser.parse_args()

    loader = jspdl.images(options.data, size=32, batch_size=64, shuffle=True, seed=1, drop_last=True, arrays="jax")
    import jax
    from jax import numpy as jnp

    def loss_of(weights, images, labels):
        logits = images.reshape(len(images), -1) @ weights
        return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(len(labels)), labels])

    @jax.jit
    def step(weights, images, labels):
        loss, gradient = jax.value_and_grad(loss_of)(weights, images - 0.5, labels)
        return weights - 0.01 * gradient, loss

    with loader:
        weights = jnp.zeros((3 * 32 * 32, len(loader.classes)))
        for epoch in range(options.epochs):
            loss = float("nan")     # of no batch
            for batch in loader:
                weights, loss = step(weights, batch["image"], batch["label"])
            print(f"epoch {epoch}: loss {float(loss):.3f}", flush=True)


if __name__ == "__main__":
    main()
