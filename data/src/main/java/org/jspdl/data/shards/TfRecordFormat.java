package org.jspdl.data.shards;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.archive.TfRecordStream;
import org.jspdl.data.storage.Location;
import org.jspdl.memory.Lease;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// TFRecord files: each record is a sample with one field, `record`.
final class TfRecordFormat implements ShardFormat {
    static final String FIELD = "record";

    @Override
    public String name() {
        return "TFRecord";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".tfrecord", ".tfrecords") || location.name().matches(".*\\.tfrecords?-\\d+-of-\\d+");
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ShardSource(file, Source.Resume.SEEK, TfRecordFormat::cursor, _ -> OptionalLong.empty());
    }

    private static ShardCursor cursor(ShardFile file, Position from) throws IOException {
        long offset = from.state().isEmpty() ? 0 : Long.parseLong(from.state());
        return new Records(file, from.index(), TfRecordStream.over(file.open(offset), offset));
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        ShardCounts tally = new ShardCounts();
        try (TfRecordStream stream = TfRecordStream.over(file.open(0), 0)) {
            while (stream.advance()) {
                tally.sample();
                tally.field(FIELD, "", stream.byteSize());
            }
        }
        return tally.summary(name(), new LinkedHashMap<>());
    }

    private static final class Records extends ShardCursor {
        private final TfRecordStream stream;

        Records(ShardFile file, long index, TfRecordStream stream) {
            super(file, index);
            this.stream = stream;
        }

        @Override
        protected Optional<ShardSample> read(long number) throws IOException {
            if (!stream.advance()) {
                return Optional.empty();
            }
            Lease lease = lease(stream.byteSize());
            try {
                stream.read(lease.segment());
            } catch (Throwable failure) {
                lease.close();
                throw failure;
            }
            return Optional.of(sample(number).with(FIELD, lease));
        }

        @Override
        protected String state() {
            return Long.toString(stream.nextOffset());
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
