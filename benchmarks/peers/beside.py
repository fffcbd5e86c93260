#!/usr/bin/env python3
"""beside.py NUMBER COMMAND...: runs a command beside so many programs that do nothing but compute.

They are in sessions of their own, so that what watches the command's does not count them, and end with this program, however it ends.
"""
import os
import subprocess
import sys

BURNER = "import os, sys\nparent = int(sys.argv[1])\nwhile os.getppid() == parent:\n    for _ in range(1_000_000):\n        pass\n"


def main():
    number, command = int(sys.argv[1]), sys.argv[2:]
    burners = [subprocess.Popen([sys.executable, "-c", BURNER, str(os.getpid())], start_new_session=True) for _ in range(number)]
    try:
        sys.exit(subprocess.run(command).returncode)
    finally:
        for burner in burners:
            burner.kill()
        for burner in burners:
            burner.wait()


if __name__ == "__main__":
    main()
