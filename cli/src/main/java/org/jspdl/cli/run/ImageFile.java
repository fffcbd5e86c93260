package org.jspdl.cli.run;

import java.io.IOException;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.input.ReadException;
import org.jspdl.memory.Lease;
import org.jspdl.memory.PoolExhaustedException;

/// One image of a plan's source, in a file of its own or in a shard. Closing gives up what it holds.
sealed interface ImageFile extends AutoCloseable {
    /// Its number in the dataset, or its place in the epoch.
    int index();

    /// The number of its class; -1 if a shard has none. Not asked for once it was read.
    int label();

    /// What it is called in messages.
    String location();

    /// Whether it is the last of its epoch on this rank.
    boolean last();

    /// Gives `sample` the file's bytes, or the reason why there are none.
    void read(Sample sample, ImageRows rows);

    @Override
    default void close() {}

    /// An image in a file of its own.
    ///
    /// @param storage where it is read from
    record Alone(LabeledFiles dataset, Storage storage, int index, boolean last) implements ImageFile {
        @Override
        public String location() {
            return dataset.location(index).toString();
        }

        @Override
        public int label() {
            return dataset.label(index);
        }

        @Override
        public void read(Sample sample, ImageRows rows) {
            try {
                Lease bytes = rows.read(storage, dataset.location(index));
                sample.encoded(bytes);
            } catch (IOException | PoolExhaustedException failure) {
                sample.unreadable(ReadException.of(location(), FailureReasons.of(failure), failure));
            }
        }

        @Override
        public String toString() {
            return "image " + index;
        }
    }

    /// An image in a shard, in memory already.
    record InShard(ShardSample found, int index, boolean last) implements ImageFile {
        @Override
        public String location() {
            return ShardImages.name(found);
        }

        @Override
        public int label() {
            return ShardImages.label(found);
        }

        @Override
        public void read(Sample sample, ImageRows rows) {
            try {
                sample.encoded(ShardImages.image(found), found::close);
            } catch (FormatException missing) {
                found.close();
                sample.unreadable(missing.withSource(location()));
            }
        }

        @Override
        public void close() {
            found.close();
        }

        @Override
        public String toString() {
            return location();
        }
    }
}
