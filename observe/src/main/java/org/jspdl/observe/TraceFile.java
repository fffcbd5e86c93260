package org.jspdl.observe;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.history.Track;

/// Writes a trace in Chrome's trace event format: one event a line, times in microseconds. Used once, by one thread.
final class TraceFile {
    private static final String CONSUMER_STARVED = "consumer starved";

    private final Writer out;
    private final List<Track> tracks;
    private final List<String> labels;
    private final List<Trace.Group> groups;
    private final List<Interval> intervals;
    private final List<Trace.Counted> counters;
    private final long process = ProcessHandle.current().pid();
    private final IdentityHashMap<Track, Integer> numbers = new IdentityHashMap<>();
    private final JsonWriter json = JsonWriter.compact().rounded(3);

    /// A moment in the way of an item.
    ///
    /// @param stage what it left at this moment, or came to
    private record Stop(Track track, String stage, long start, long end) {}

    TraceFile(
            Writer out,
            List<Track> tracks,
            List<String> labels,
            List<Trace.Group> groups,
            List<Interval> intervals,
            List<Trace.Counted> counters) {
        this.out = out;
        this.tracks = tracks;
        this.labels = labels;
        this.groups = groups;
        this.intervals = intervals;
        this.counters = counters;
    }

    void write(long lost) throws IOException {
        json.beginObject()
                .put("displayTimeUnit", "ms")
                .beginObject("otherData")
                .put("clock", "System.nanoTime, CLOCK_MONOTONIC on Linux")
                .put("lost_spans", lost)
                .endObject()
                .beginArray("traceEvents");
        Map<Long, List<Stop>> ways = new TreeMap<>();
        for (int i = 0; i < tracks.size(); i++) {
            numbers.put(tracks.get(i), i + 1);
            track(tracks.get(i), i + 1, ways);
        }
        for (Trace.Group group : groups) {
            group(group, ways);
        }
        ways.values().forEach(way -> way.sort(Comparator.comparingLong(Stop::start)));
        for (Map.Entry<Long, List<Stop>> way : ways.entrySet()) {
            flow(way.getKey(), way.getValue());
        }
        links(ways.values());
        for (Interval interval : intervals) {
            counters(interval);
        }
        for (Trace.Counted counted : counters) {
            counter(counted.name(), counted.at(), "value", counted.value());
        }
        json.newLine().endArray().endObject().drainTo(out);
        out.write('\n');
    }

    private void track(Track track, int number, Map<Long, List<Stop>> ways) throws IOException {
        event("M", "thread_name")
                .put("tid", number)
                .beginObject("args")
                .put("name", track.name())
                .endObject();
        end();
        event("M", "thread_sort_index")
                .put("tid", number)
                .beginObject("args")
                .put("sort_index", number)
                .endObject();
        end();
        for (int i = 0; i < track.size(); i++) {
            String label = labels.get(track.label(i));
            slice(label, number, track.start(i), track.end(i), track.item(i));
            if (track.item(i) != 0) {
                boolean ends = label.equals(CONSUMER_STARVED);
                Stop stop = new Stop(track, label, ends ? track.end(i) : track.start(i), track.end(i));
                ways.computeIfAbsent(track.item(i), item -> new ArrayList<>()).add(stop);
            }
        }
    }

    private void slice(String name, int track, long start, long end, long item) throws IOException {
        event("X", name)
                .put("tid", track)
                .put("ts", micros(start))
                .put("dur", micros(Math.max(0, end - start)))
                .beginObject("args")
                .put("item", item)
                .endObject();
        end();
    }

    /// A group is a slice of no length on its stage's track, at which the ways of its members end and its own
    /// begins.
    private void group(Trace.Group group, Map<Long, List<Stop>> ways) throws IOException {
        slice(group.stage(), number(group.track()), group.now(), group.now() + 1000, group.item());
        Stop stop = new Stop(group.track(), group.stage(), group.now(), group.now() + 1000);
        ways.computeIfAbsent(group.item(), item -> new ArrayList<>()).add(stop);
        for (long member : group.members()) {
            ways.computeIfAbsent(member, item -> new ArrayList<>()).add(stop);
        }
    }

    /// An arrow from each stop of an item to the next.
    private void flow(long item, List<Stop> way) throws IOException {
        for (int i = 0; i < way.size() && way.size() > 1; i++) {
            Stop stop = way.get(i);
            String phase = i == 0 ? "s" : i == way.size() - 1 ? "f" : "t";
            event(phase, "item")
                    .put("bp", "e")
                    .put("cat", "item")
                    .put("id", item)
                    .put("tid", number(stop.track))
                    .put("ts", micros(stop.start));
            end();
        }
    }

    /// How many items wait behind each stage, counted from what the items did.
    private void links(Iterable<List<Stop>> ways) throws IOException {
        Map<String, TreeMap<Long, Integer>> changes = new TreeMap<>();
        for (List<Stop> way : ways) {
            for (int i = 1; i < way.size(); i++) {
                Stop from = way.get(i - 1);
                long until = Math.max(from.end, way.get(i).start);
                TreeMap<Long, Integer> link = changes.computeIfAbsent(from.stage, stage -> new TreeMap<>());
                link.merge(from.end, 1, Integer::sum);
                link.merge(until, -1, Integer::sum);
            }
        }
        for (Map.Entry<String, TreeMap<Long, Integer>> link : changes.entrySet()) {
            long waiting = 0;
            for (Map.Entry<Long, Integer> change : link.getValue().entrySet()) {
                waiting += change.getValue();
                counter("queue behind " + link.getKey(), change.getKey(), "items", (double) waiting);
            }
        }
    }

    private void counters(Interval interval) throws IOException {
        long at = interval.at();
        counter("batches/s", at, "rate", interval.stats().rate());
        counter("processors used", at, "processors", interval.usage().processorsUsed());
        counter("heap, MB", at, "MB", interval.usage().memory().heap() / 1e6);
        counter("buffer pools, MB", at, "MB", interval.usage().memory().pools() / 1e6);
        counter("resident, MB", at, "MB", interval.usage().memory().resident() / 1e6);
        counter("GC pauses, share", at, "share", interval.usage().pausedShare());
    }

    private void counter(String name, long at, String unit, double value) throws IOException {
        event("C", name)
                .put("ts", micros(at))
                .beginObject("args")
                .put(unit, value)
                .endObject();
        end();
    }

    private int number(Track track) {
        return numbers.getOrDefault(track, 0);
    }

    /// Begins an event on a line of its own.
    private JsonWriter event(String phase, String name) {
        return json.newLine().beginObject().put("ph", phase).put("name", name).put("pid", process);
    }

    private void end() throws IOException {
        json.endObject().drainTo(out);
    }

    /// Exactly: as a double, microseconds since long ago would lose their fraction.
    private static BigDecimal micros(long nanos) {
        return BigDecimal.valueOf(nanos, 3);
    }
}
