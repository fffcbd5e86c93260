package org.jspdl.data.plan.value;

import java.io.IOException;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.input.FormatException;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;

/// Samples of shards as those of plans.
public final class ShardSamples {
    /// What a sample is called in its shard.
    public static final String KEY = "key";
    /// The field that is there if ranks are uneven.
    public static final String EVERYWHERE = "everywhere";

    private ShardSamples() {}

    /// The sample of a plan, which owns `found`, with all its fields and its key. Where samples have no names, as
    /// in tables, a column `key` stands in place of their number.
    ///
    /// @throws FormatException if it has a name and a field `key`: the one would replace the other
    public static PlanSample of(ShardSample found) {
        PlanSample sample = new PlanSample(found.shard() + "/" + found.key(), found.shard())
                .owning(found)
                .noting("place", Long.toString(found.index()));
        found.extent().ifPresent(extent -> sample.noting("range", extent.toString()));
        if (found.has(KEY) && found.isNamed()) {
            found.close();
            throw FormatException.because("'" + found.key() + "' has a field '" + KEY + "', and '" + KEY
                            + "' is what samples are called; leave the field out by 'columns', or call it otherwise")
                    .withSource(found.shard());
        }
        if (found.isNamed()) {
            sample.with(KEY, found.key());
        } else if (!found.has(KEY)) {
            sample.placed(KEY, found.key());
        }
        for (String field : found.names()) {
            sample.with(field, found.isArray(field) ? found.array(field) : new Encoded.InMemory(found.bytes(field)));
        }
        return sample;
    }

    /// Samples that say whether all ranks have one at this place of their shares.
    ///
    /// @param everywhere how many places all ranks have
    public static Cursor<PlanSample> told(Cursor<? extends ShardSample> cursor, long everywhere) {
        return new ToldPlaces(cursor, everywhere);
    }

    private record ToldPlaces(Cursor<? extends ShardSample> cursor, long everywhere) implements Cursor<PlanSample> {
        @Override
        public boolean advance() throws Exception {
            return cursor.advance();
        }

        @Override
        public PlanSample item() {
            PlanSample sample = of(cursor.item());
            try {
                return sample.placed(EVERYWHERE, position().index() <= everywhere ? 1L : 0L);
            } catch (Throwable failure) {
                sample.close();
                throw failure;
            }
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
