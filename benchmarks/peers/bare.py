#!/usr/bin/python3
"""What Python takes that has imported the modules named on the command line and does nothing: the floor under every loader's memory."""
import importlib
import sys
import time

from dataloader import say

SAMPLED_SECONDS = 1.5


def main():
    for name in sys.argv[1:]:
        importlib.import_module(name)
    say("first_batch")
    time.sleep(SAMPLED_SECONDS)


if __name__ == "__main__":
    main()
