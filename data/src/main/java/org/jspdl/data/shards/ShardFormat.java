package org.jspdl.data.shards;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import org.jspdl.data.storage.Location;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// A format of shards, found by [java.util.ServiceLoader]. Has a public constructor without arguments; safe for any
/// thread.
public interface ShardFormat {
    /// What it is called, such as `WebDataset tar`.
    String name();

    /// Whether a shard is of this format, told by its name alone.
    boolean reads(Location location);

    /// The samples of a shard: a source that resumes at any of them. Opens nothing yet.
    Source<ShardSample> open(ShardFile file);

    /// Whether it reads only the rows that [ShardOptions#where()] leaves.
    default boolean filters() {
        return false;
    }

    /// The object that tells how many samples a shard has: when it changes, so may their number.
    default Location countedBy(Location shard) {
        return shard;
    }

    /// How many samples a cursor over the shard finds, told by reading it. What is broken is not counted.
    default long count(ShardFile file) throws IOException {
        long samples = 0;
        try (Cursor<ShardSample> cursor = open(file).open(0, Position.START)) {
            for (; cursor.advance(); samples++) {
                cursor.item().close();
            }
            return samples;
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException("cannot count the samples of " + file.shown(), failure);
        }
    }

    /// What the fields of a shard mean, if that can be told at little cost; [ShardSchema#UNKNOWN] if not.
    default ShardSchema schema(ShardFile file) throws IOException {
        return ShardSchema.UNKNOWN;
    }

    /// What a shard holds. May read all of it.
    ShardSummary inspect(ShardFile file) throws IOException;
}
