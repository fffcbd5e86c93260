package org.jspdl.data.shards;

import java.io.IOException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// One shard as a source: the same samples in every epoch.
///
/// @param file    which shard
/// @param resume  how a position is found
/// @param opening makes cursors
/// @param counted tells the number of samples
public record ShardSource(ShardFile file, Resume resume, Opening opening, Size counted) implements Source<ShardSample> {

    /// Opens a cursor at a position that is not the end.
    @FunctionalInterface
    public interface Opening {
        /// A cursor at `from`, which the caller closes.
        ShardCursor at(ShardFile file, Position from) throws IOException;
    }

    /// How many samples there are, if that is known at little cost.
    @FunctionalInterface
    public interface Size {
        /// The number of samples; empty if it takes reading the shard.
        java.util.OptionalLong of(ShardFile file);
    }

    @Override
    public Cursor<ShardSample> open(long epoch, Position from) throws IOException {
        return from.state().equals("end") ? new Nothing(from) : opening.at(file, from);
    }

    @Override
    public java.util.OptionalLong size() {
        return counted.of(file);
    }

    @Override
    public String identity() {
        return file.shown()
                + (file.options().columns().isEmpty() ? "" : file.options().columns());
    }

    /// What lies behind the end.
    private record Nothing(Position position) implements Cursor<ShardSample> {
        @Override
        public boolean advance() {
            return false;
        }

        @Override
        public ShardSample item() {
            throw new IllegalStateException("there is no sample behind the end");
        }
    }
}
