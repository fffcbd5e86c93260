package org.jspdl.cli.inspect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.observe.text.Figures;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.PipelineException;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.StageOptions;

/// What shards hold together. Several are read at once.
public final class ShardContents {
    private static final int AT_ONCE = 8;

    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final SequencedMap<String, SequencedSet<String>> traits = new LinkedHashMap<>();
    private final SequencedSet<String> formats = new LinkedHashSet<>();
    private final List<Contents.Part> parts = new ArrayList<>();

    private static final class Field {
        final SequencedSet<String> kinds = new LinkedHashSet<>();
        long samples;
        long bytes;
    }

    private record Inspected(Location location, ShardSummary summary) {}

    private ShardContents() {}

    /// What `locations` hold.
    ///
    /// @param given what the user called them together
    /// @throws org.jspdl.input.FormatException at the first that is damaged
    public static Contents of(Storage storage, Location given, List<Location> locations) throws IOException {
        ShardContents contents = new ShardContents();
        try (BufferPool pool = BufferPool.unbounded("inspected shards");
                Run<Inspected> run = Pipeline.from(locations)
                        .pipe(
                                "inspect",
                                location -> new Inspected(location, Shards.inspect(storage, location, pool)),
                                StageOptions.io(Math.min(AT_ONCE, locations.size()))
                                        .inputOrder())
                        .start()) {
            for (Inspected shard : run) {
                contents.add(shard);
            }
        } catch (PipelineException failure) {
            switch (failure.getCause()) {
                case IOException unreadable -> throw unreadable;
                case RuntimeException damaged -> throw damaged;
                case null, default -> throw failure;
            }
        }
        return contents.contents(given.toString());
    }

    private void add(Inspected shard) {
        ShardSummary summary = shard.summary;
        formats.add(summary.format());
        parts.add(new Contents.Part(shard.location.toString(), summary.samples(), summary.bytes()));
        summary.traits()
                .forEach((name, value) ->
                        traits.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(value));
        for (ShardSummary.FieldSummary found : summary.fields()) {
            Field field = fields.computeIfAbsent(found.name(), _ -> new Field());
            field.samples += found.samples();
            field.bytes = field.bytes < 0 || found.bytes() < 0 ? -1 : field.bytes + found.bytes();
            if (!found.kind().isEmpty()) {
                field.kinds.add(found.kind());
            }
        }
    }

    private Contents contents(String given) {
        SequencedMap<String, String> known = new LinkedHashMap<>();
        if (parts.size() > 1) {
            known.put(
                    "samples in a shard",
                    range(parts.stream()
                            .mapToLong(Contents.Part::samples)
                            .sorted()
                            .toArray()));
        }
        traits.forEach((name, values) -> known.put(name, String.join(" / ", values)));
        return new Contents(
                given,
                String.join(" / ", formats),
                parts.stream().mapToLong(Contents.Part::samples).sum(),
                parts.stream().mapToLong(Contents.Part::bytes).sum(),
                known,
                fields.entrySet().stream()
                        .map(field -> new Contents.Field(
                                field.getKey(),
                                String.join(" or ", field.getValue().kinds),
                                field.getValue().samples,
                                field.getValue().bytes))
                        .toList(),
                new Contents.Parts("shards", List.copyOf(parts)));
    }

    private static String range(long[] sorted) {
        return sorted[0] == sorted[sorted.length - 1]
                ? Figures.count(sorted[0])
                : Figures.count(sorted[0]) + " to " + Figures.count(sorted[sorted.length - 1]);
    }
}
