package org.jspdl.spark.internal;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.plan.PackedRange;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.data.shards.pack.StagedShards;

/// Where the job of a plan writes: a folder that all share, or an object store. Immutable; goes to the executors.
///
/// @param options where and what
/// @param each    places of a shard
/// @param id      of the job, which no other has
public record PlanTarget(WriteOptions options, long each, String id) implements Serializable {
    private boolean isStore() {
        return options.location().isRemote();
    }

    /// How shards are written in a folder.
    private PackSettings settings(Path in) {
        PackSettings settings = options.settings(in);
        return settings.limits(each, settings.bytes());
    }

    private StagedShards staged() {
        return new StagedShards(settings(Path.of(options.folder())), options.overwrites(), id);
    }

    private StoredShards stored() {
        return new StoredShards(options, id);
    }

    /// Before any attempt begins.
    ///
    /// @throws IOException if something is there, or nothing can be written there
    public void begin() throws IOException {
        if (isStore()) {
            stored().begin();
        } else {
            staged().begin();
        }
    }

    /// Writes what comes of a range of places, as one attempt of several.
    public PackedRange write(PackedPlan plan, int range, long attempt) throws IOException {
        if (!isStore()) {
            StagedShards staged = staged();
            return plan.write(range, settings(staged.target()), staged, attempt);
        }
        Path in = Files.createTempDirectory("jspdl-shard-");
        try {
            PackedRange written = plan.write(range, settings(in));
            return new PackedRange(
                    stored().send(
                                    in,
                                    range,
                                    attempt,
                                    java.util.Optional.ofNullable(written.part().shard())),
                    written.failures(),
                    written.dropped());
        } finally {
            StagedShards.remove(in);
        }
    }

    /// Makes all shards appear.
    ///
    /// @param ranges all of them
    public PackedPlan.Result commit(JavaSparkContext context, PackedPlan plan, List<PackedRange> ranges)
            throws IOException {
        PackSettings settings = settings(isStore() ? Path.of("") : Path.of(options.folder()));
        return isStore()
                ? plan.commit(ranges, settings, (parts, beside) -> stored().commit(context, parts, beside))
                : plan.commit(ranges, settings, staged());
    }

    /// Removes what is hidden.
    public void end() throws IOException {
        if (isStore()) {
            stored().end();
        } else {
            staged().end();
        }
    }
}
