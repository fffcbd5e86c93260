"""Sends the bytes of images from one process to another over the loopback, and does nothing else: what the system takes for that.

    socket_copy.py --images N --image-bytes N [--piece N] [--epochs N]

Pieces lie in as many pieces' memory as a worker makes at once, so that they come from memory and not from a cache. Prints the lines of a peer.
"""
import argparse
import json
import os
import socket
import time

AHEAD = 6       # pieces of different memory at each end
WRITE = 64 << 10
READ = 256 << 10


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--images", type=int, required=True)
    parser.add_argument("--image-bytes", type=int, required=True)
    parser.add_argument("--piece", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=6)
    options = parser.parse_args()
    begun = time.monotonic()
    size = options.piece * options.image_bytes
    pieces = -(-options.images // options.piece) * options.epochs
    listening = socket.create_server(("127.0.0.1", 0))
    sender = os.fork()
    if sender == 0:
        send(socket.create_connection(listening.getsockname()), pieces, size)
        os._exit(0)
    connection, _ = listening.accept()
    print(json.dumps({"event": "versions"}), flush=True)
    buffers = [memoryview(bytearray(size)) for _ in range(AHEAD)]
    started, cpu = time.monotonic(), time.process_time()
    for number in range(pieces):
        connection.sendall(b"?")
        buffer = buffers[number % AHEAD]
        at = 0
        while at < size:
            at += connection.recv_into(buffer[at:at + READ])
        if number == 0:
            print(json.dumps({"event": "first_batch", "at": time.monotonic() - begun}), flush=True)
    seconds, cpu = time.monotonic() - started, time.process_time() - cpu
    connection.close()
    _, _, used = os.wait4(sender, 0)
    cpu += used.ru_utime + used.ru_stime
    items = pieces * options.piece
    print(json.dumps({"event": "epoch", "items": items, "seconds": seconds, "cpu_seconds": cpu}), flush=True)


def send(connection, pieces, size):
    buffers = [memoryview(bytes([number + 1]) * size) for number in range(AHEAD)]
    for number in range(pieces):
        connection.recv(1)
        buffer = buffers[number % AHEAD]
        for at in range(0, size, WRITE):
            connection.sendall(buffer[at:at + WRITE])


if __name__ == "__main__":
    main()
