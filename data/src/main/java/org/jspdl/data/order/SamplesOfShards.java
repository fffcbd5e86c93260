package org.jspdl.data.order;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Location;
import org.jspdl.source.CountableSource;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Samples of shards that are left out, by names such as `train-000.tar/n01440764_10026`: the shard, and its key there.
public final class SamplesOfShards {
    private SamplesOfShards() {}

    /// Those of `names` that are of one of the shards, by its name; whether it has such a key only reading it says.
    public static SortedSet<String> of(List<Location> shards, Collection<String> names) {
        SortedSet<String> found = new TreeSet<>();
        shards.forEach(shard -> found.addAll(of(shard, names)));
        return found;
    }

    private static SortedSet<String> of(Location shard, Collection<String> names) {
        String begin = shard + "/";
        SortedSet<String> found = new TreeSet<>(names);
        found.removeIf(name -> !name.startsWith(begin));
        return found;
    }

    /// `stream` without the samples called `names`; to be asked before it is dealt to ranks.
    ///
    /// Shards that lack samples are read from front to back, not in blocks. They do not say how many samples are
    /// left: where ranks match by counts, those shards are read once to be counted. A key that a shard does not
    /// have is an error as soon as that is known, when the shard was read from its beginning to its end.
    ///
    /// @param shards where the shards of the stream lie, in its order
    public static ShardStream<ShardSample> without(
            ShardStream<ShardSample> stream, List<Location> shards, Collection<String> names) {
        return stream.changed((number, shard) -> {
            SortedSet<String> here = of(shards.get(number), names);
            return here.isEmpty() ? shard : new Rest(shard, here);
        });
    }

    private record Rest(Source<ShardSample> shard, SortedSet<String> names) implements CountableSource<ShardSample> {
        @Override
        public long count() throws IOException {
            try (Cursor<ShardSample> cursor = open(0, Position.START)) {
                long samples = 0;
                while (cursor.advance()) {
                    cursor.item().close();
                    samples++;
                }
                return samples;
            } catch (IOException | RuntimeException failure) {
                throw failure;
            } catch (Exception failure) {
                throw new IOException("cannot count the samples of " + shard.identity(), failure);
            }
        }

        @Override
        public Cursor<ShardSample> open(long epoch, Position from) throws Exception {
            return new RestCursor(shard.open(epoch, from), names, from.equals(Position.START));
        }

        @Override
        public String identity() {
            return shard.identity() + selection();
        }

        @Override
        public String selection() {
            return " without " + names;
        }

        @Override
        public Resume resume() {
            return shard.resume();
        }
    }

    private static final class RestCursor implements Cursor<ShardSample> {
        private final Cursor<ShardSample> cursor;
        private final SortedSet<String> names;
        private final boolean isWhole;
        private final SortedSet<String> missing;
        private @Nullable ShardSample item;

        RestCursor(Cursor<ShardSample> cursor, SortedSet<String> names, boolean isWhole) {
            this.cursor = cursor;
            this.names = names;
            this.isWhole = isWhole;
            this.missing = new TreeSet<>(names);
        }

        @Override
        public boolean advance() throws Exception {
            while (cursor.advance()) {
                ShardSample next = cursor.item();
                String name = next.shard() + "/" + next.key();
                if (!names.contains(name)) {
                    item = next;
                    return true;
                }
                next.close();
                missing.remove(name);
            }
            if (isWhole && !missing.isEmpty()) {
                throw new DatasetException("the sample '" + missing.first() + "' that is to be left out is not there");
            }
            return false;
        }

        @Override
        public ShardSample item() {
            if (item == null) {
                throw new IllegalStateException("there is no sample: advance() comes before each");
            }
            return item;
        }

        @Override
        public Position position() {
            return cursor.position();
        }

        @Override
        public void close() throws IOException {
            cursor.close();
        }
    }
}
