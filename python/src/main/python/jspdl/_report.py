"""The handover as the trainer sees it, and the report for a person."""


class Trainer:
    """Counts what was taken."""
    KEPT = 512

    def __init__(self):
        self.batches = self.bytes = self.copied = 0
        self.waited = 0.0
        self.handovers = []

    def took(self, size, nanos):
        if len(self.handovers) < self.KEPT:
            self.handovers.append(nanos)
        else:
            self.handovers[self.batches % self.KEPT] = nanos
        self.batches += 1
        self.bytes += size

    def values(self, held):
        return {
            "batches": self.batches,
            "bytes": self.bytes,
            "waited_seconds": self.waited,
            "copied_batches": self.copied,
            "slots_held": held,
        }


    def latency(self):
        """The median time from sending a batch to its arrival, in seconds; None before the first."""
        ordered = sorted(self.handovers)
        return ordered[len(ordered) // 2] / 1e9 if ordered else None


def text(stats):
    """A screen of figures."""
    functions = [
        f"{function['method']}({function['function']}): {function['workers']}, {function['busy_share']:.0%} busy, {function['batches']:,} batches,"
        f" {function['failed']:,} failed, {function['replaced']:,} processes replaced" for function in stats.get("functions", [])]
    if "stages" not in stats:
        return "\n".join(functions) or "nothing was loaded yet"
    trainer, over = stats["trainer"], stats["handover"]
    lines = [
        f"{stats['pipeline']}: {stats['batches']:,} batches in {stats['elapsed_seconds']:.1f} s "
        f"({stats['batches_per_second']:,.1f} batches/s)",
        f"{'stage':20} {'workers':>16} {'busy':>6} {'starved':>8} {'backpressured':>14} {'waiting for CPU':>16} {'mean':>10} {'failed':>7}",
    ]
    for stage in stats["stages"]:
        lines.append(f"{stage['name']:20} {stage['placement'] + ' x' + str(stage['workers']):>16} {stage['busy_share']:6.0%}"
                     f" {stage['starved_share']:8.0%} {stage['backpressured_share']:14.0%}"
                     f" {stage['waiting_for_cpu_share']:16.0%} {stage['seconds_per_item'] * 1e6:7,.0f} us {stage['failed']:7,}")
    sources = stats.get("sources", [])
    if len(sources) > 1:
        lines.append("Epochs: " + ", ".join(
            f"{source['name']} {'unknown' if source['epochs'] is None else format(source['epochs'], '.2f')}" for source in sources))
    lines += [
        f"The trainer took {trainer['batches']:,} batches and was starved for {trainer['waited_seconds']:.2f} s; the loader was "
        f"backpressured for {over['backpressured_seconds']:.2f} s and waited {over['slot_wait_seconds']:.2f} s for a slot.",
        f"Slots: {over['slots_free']} of {over['slots']} free, minimum {over['slots_least_free']}; "
        f"{over['copied_batches']:,} batches were copied into a slot, {trainer['copied_batches']:,} out of one.",
    ]
    lines += functions
    failures = stats["failures"]
    for failure in failures["first"][:3]:
        lines.append(f"skipped in '{failure['stage']}': {failure['message']}")
    if failures["count"] > 3:
        lines.append(f"... {failures['count']:,} were skipped in total")
    lines.append(stats["bottleneck"])
    return "\n".join(lines)
