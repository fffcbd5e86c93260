"""Medians, ratios, and the table a person reads."""
import statistics

MEASURES = ("items", "items_per_second", "cpu_seconds_per_1000_items", "first_batch_seconds",
            "peak_pss_bytes", "peak_memory_bytes", "peak_rss_sum_bytes", "processes", "whole_seconds", "whole_cpu_seconds")
MIB = 1024 * 1024


def medians(results):
    """For each contestant, in order: the median of each measure over the rounds, and the spread of items/s."""
    table = {}
    for name in dict.fromkeys(result["name"] for result in results):
        mine = [result for result in results if result["name"] == name]
        table[name] = {measure: statistics.median(result[measure] for result in mine) for measure in MEASURES}
        speeds = [result["items_per_second"] for result in mine]
        table[name]["rounds"] = len(mine)
        table[name]["work"] = mine[0].get("work") or ""
        table[name]["items_per_second_range"] = [min(speeds), max(speeds)]
    return table


def render(table, ours):
    """The table, and ours (names that begin with `ours`) against the best peer of the same work in each measure."""
    lines = [f"{'':33} {'items/s':>9} {'(min-max)':>15} {'CPU s/1000':>11} {'first batch':>12} {'PSS':>9} {'memory':>9} {'RSS sum':>9}"
             f" {'procs':>6}"]
    for name, row in table.items():
        low, high = row["items_per_second_range"]
        spread = f"({low:,.0f}-{high:,.0f})"
        lines.append(f"{name:33} {row['items_per_second']:9,.0f} {spread:>15} {row['cpu_seconds_per_1000_items']:11.2f}"
                     f" {row['first_batch_seconds']:10.2f} s {row['peak_pss_bytes'] / MIB:5,.0f} MiB"
                     f" {row['peak_memory_bytes'] / MIB:5,.0f} MiB"
                     f" {row['peak_rss_sum_bytes'] / MIB:5,.0f} MiB {row['processes']:6.0f}")
    for work in dict.fromkeys(row["work"] for row in table.values()):
        same = {name: row for name, row in table.items() if row["work"] == work}
        peers = {name: row for name, row in same.items() if not name.startswith(ours)}
        mine = {name: row for name, row in same.items() if name.startswith(ours)}
        if peers and mine:
            lines += ["", *ratios(mine, peers)]
    return "\n".join(lines)


def ratios(mine, peers):
    fastest = max(peers, key=lambda name: peers[name]["items_per_second"])
    frugal = min(peers, key=lambda name: peers[name]["cpu_seconds_per_1000_items"])
    soonest = min(peers, key=lambda name: peers[name]["first_batch_seconds"])
    yield (f"Against the fastest peer ({fastest}); CPU also against the most frugal ({frugal}), first batch against the soonest"
           f" ({soonest}):")
    for name, row in mine.items():
        yield (f"{name:33} {row['items_per_second'] / peers[fastest]['items_per_second']:.2f} x items/s, "
               f"{row['cpu_seconds_per_1000_items'] / peers[fastest]['cpu_seconds_per_1000_items']:.2f} x CPU "
               f"({row['cpu_seconds_per_1000_items'] / peers[frugal]['cpu_seconds_per_1000_items']:.2f} x the least), "
               f"{row['peak_pss_bytes'] / peers[fastest]['peak_pss_bytes']:.2f} x PSS, "
               f"{row['peak_memory_bytes'] / peers[fastest]['peak_memory_bytes']:.2f} x memory, "
               f"{row['first_batch_seconds'] / peers[soonest]['first_batch_seconds']:.2f} x time to the first batch")


def markdown(document):
    """The medians of a results file as a Markdown table, under a line that says what was measured on what."""
    box, setting = document["machine"], document["setting"]
    lines = [
        f"Scenario `{document['scenario']}` ({', '.join(f'{key} {value}' for key, value in setting.items())}), "
        f"{document['started'][:10]}, commit {box['commit']}; {box['cores']} cores of {box['processor']}, "
        f"{box['memory_bytes'] / 2**30:.0f} GiB, {box['system']}. "
        f"Medians of {max(row['rounds'] for row in document['medians'].values())} rounds.",
        "",
        "| command | items/s (least to most) | CPU seconds per 1,000 items | first batch | peak PSS | peak memory | sum of RSS | processes |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, row in document["medians"].items():
        low, high = row["items_per_second_range"]
        lines.append(f"| {name} | {row['items_per_second']:,.0f} ({low:,.0f} to {high:,.0f}) "
                     f"| {row['cpu_seconds_per_1000_items']:.2f} | {row['first_batch_seconds']:.2f} s "
                     f"| {row['peak_pss_bytes'] / MIB:,.0f} MiB | {row['peak_memory_bytes'] / MIB:,.0f} MiB "
                     f"| {row['peak_rss_sum_bytes'] / MIB:,.0f} MiB "
                     f"| {row['processes']:.0f} |")
    return "\n".join(lines)
