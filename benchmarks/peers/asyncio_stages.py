"""Items through three no-op stages on an asyncio event loop with a thread pool and bounded queues: how a Python pipeline hands over."""
import argparse
import asyncio
import concurrent.futures
import json
import sys
import time

END = object()


async def stage(loop, pool, source, target, concurrency):
    async def worker():
        while (item := await source.get()) is not END:
            await target.put(await loop.run_in_executor(pool, step, item))
        await source.put(END)

    await asyncio.gather(*(worker() for _ in range(concurrency)))
    await target.put(END)


def step(item):
    return item + 1


async def run(items, concurrency):
    loop = asyncio.get_running_loop()
    queues = [asyncio.Queue(concurrency + 2) for _ in range(4)]
    with concurrent.futures.ThreadPoolExecutor(max(2, concurrency)) as pool:
        async def feed():
            for item in range(items):
                await queues[0].put(item)
            await queues[0].put(END)

        stages = [stage(loop, pool, queues[i], queues[i + 1], concurrency) for i in range(3)]
        running = asyncio.gather(feed(), *stages)
        total = 0
        while (item := await queues[3].get()) is not END:
            total += item
        await running
    if total != items * (items - 1) // 2 + 3 * items:
        sys.exit("items were lost")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--concurrency", type=int, default=1)
    options = parser.parse_args()
    print(json.dumps({"event": "versions", "python": sys.version.split()[0]}), flush=True)
    print(json.dumps({"event": "first_batch"}), flush=True)
    for _ in range(2):
        start, cpu = time.perf_counter(), time.process_time()
        asyncio.run(run(options.items, options.concurrency))
        print(json.dumps({"event": "epoch", "items": options.items, "seconds": time.perf_counter() - start,
                          "cpu_seconds": time.process_time() - cpu}), flush=True)


if __name__ == "__main__":
    main()
