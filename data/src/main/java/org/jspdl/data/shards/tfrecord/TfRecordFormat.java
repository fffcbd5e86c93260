package org.jspdl.data.shards.tfrecord;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspdl.archive.TfRecordStream;
import org.jspdl.data.shards.GzipInput;
import org.jspdl.data.shards.ShardCounts;
import org.jspdl.data.shards.ShardCursor;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardFormat;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.ShardSource;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// TFRecord files, also gzipped ones, whatever they are called: each record is a sample. A `tf.train.Example` has its
/// features as fields, see [ExampleFields]; any other record is one field, `record`.
public final class TfRecordFormat implements ShardFormat {
    static final String FIELD = "record";
    /// `train-00000-of-01024`, also behind another ending: how TensorFlow's programs number their files.
    private static final Pattern NUMBERED = Pattern.compile(".*-\\d{5,}-of-\\d{5,}(\\.gz)?");

    /// Found by [java.util.ServiceLoader].
    public TfRecordFormat() {}

    @Override
    public String name() {
        return "TFRecord";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".tfrecord", ".tfrecords", ".tfrecord.gz", ".tfrecords.gz")
                || NUMBERED.matcher(location.name()).matches();
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ShardSource(file, Source.Resume.SEEK, TfRecordFormat::cursor, _ -> OptionalLong.empty());
    }

    private static ShardCursor cursor(ShardFile file, Position from) throws IOException {
        boolean seeks = !from.state().isEmpty();
        Records records = open(file, from.index(), seeks ? Long.parseLong(from.state()) : 0);
        try {
            if (!seeks) {
                records.pass(from.index());
            }
            return records;
        } catch (Throwable failure) {
            records.close();
            throw failure;
        }
    }

    private static Records open(ShardFile file, long index, long offset) throws IOException {
        SeekableByteChannel channel = file.open(offset);
        try {
            if (offset == 0 && GzipInput.begins(channel) && !beginsAsRecord(channel)) {
                TfRecordStream stream = TfRecordStream.over(Channels.newChannel(GzipInput.over(channel, file)), 0);
                return new Records(file, index, stream, true);
            }
            return new Records(file, index, TfRecordStream.over(channel, offset), false);
        } catch (Throwable failure) {
            channel.close();
            throw failure;
        }
    }

    /// Whether the length of the first record, which may look like gzip, has the right checksum.
    private static boolean beginsAsRecord(SeekableByteChannel channel) throws IOException {
        try {
            return TfRecordStream.over(channel, 0).advance();
        } catch (FormatException damaged) {
            return false;
        } finally {
            channel.position(0);
        }
    }

    @Override
    public ShardSchema schema(ShardFile file) throws IOException {
        try (Records records = open(file, 0, 0);
                Lease lease = records.first()) {
            return TfExample.parse(lease.segment())
                    .map(features -> ShardSchema.of(
                            features.stream().map(TfExample.Feature::name).toList(), ""))
                    .orElse(ShardSchema.UNKNOWN);
        } catch (FormatException damaged) {
            return ShardSchema.UNKNOWN; // opening it says why, or skips it
        }
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        ShardCounts tally = new ShardCounts();
        try (Records records = open(file, 0, 0)) {
            while (records.stream.advance()) {
                tally.sample();
                try (Lease lease = records.content()) {
                    Optional<List<TfExample.Feature>> example = TfExample.parse(lease.segment());
                    if (example.isEmpty()) {
                        tally.field(FIELD, "", records.stream.byteSize());
                    }
                    example.orElse(List.of()).forEach(feature -> count(tally, feature));
                }
            }
        }
        return tally.summary(name(), new LinkedHashMap<>());
    }

    private static void count(ShardCounts tally, TfExample.Feature feature) {
        long bytes = feature.isBytes()
                ? feature.texts().stream().mapToLong(MemorySegment::byteSize).sum()
                : (long) feature.numbers().length * feature.type().byteSize();
        boolean one = feature.isBytes() && feature.texts().size() == 1;
        tally.field(
                feature.name(),
                feature.isBytes() ? (one ? "bytes" : "list of bytes") : "list of " + feature.type(),
                bytes);
    }

    private static final class Records extends ShardCursor {
        private final TfRecordStream stream;
        private final boolean compressed;

        Records(ShardFile file, long index, TfRecordStream stream, boolean compressed) {
            super(file, index);
            this.stream = stream;
            this.compressed = compressed;
        }

        /// Passes over records without decoding them.
        void pass(long records) throws IOException {
            long passed = 0;
            while (passed < records && stream.advance()) {
                passed++;
            }
        }

        /// The first record, which the caller closes.
        ///
        /// @throws FormatException if there is none
        Lease first() throws IOException {
            if (!stream.advance()) {
                throw FormatException.because("there is no record");
            }
            return content();
        }

        private Lease content() throws IOException {
            Lease lease = lease(stream.byteSize());
            try {
                stream.read(lease.segment());
                return lease;
            } catch (Throwable failure) {
                lease.close();
                throw failure;
            }
        }

        @Override
        protected Optional<ShardSample> read(long number) throws IOException {
            if (!stream.advance()) {
                return Optional.empty();
            }
            Lease content = content();
            ShardSample sample = sample(number).owning(content);
            try {
                filled(sample, content.segment());
                List<String> lacking = missing(sample);
                String objection = lacking.isEmpty() ? "" : TfExample.objection(content.segment());
                if (!objection.isEmpty()) {
                    sample.close();
                    return Optional.of(broken(
                            number,
                            "TFRecord: the record has no field '" + lacking.getFirst()
                                    + "', since it is no tf.train.Example: " + objection));
                }
                if (!compressed) {
                    sample.lying(stream.offset(), stream.nextOffset());
                    if (sample.has(FIELD) && sample.bytes(FIELD).equals(content.segment())) {
                        sample.lying(FIELD, stream.dataOffset(), stream.dataOffset() + stream.byteSize());
                    }
                }
                return Optional.of(sample);
            } catch (Throwable failure) {
                sample.close();
                throw failure;
            }
        }

        private void filled(ShardSample sample, MemorySegment record) {
            Optional<List<TfExample.Feature>> example = TfExample.parse(record);
            if (example.isEmpty() || file().options().columns().contains(FIELD)) {
                sample.with(FIELD, record);
            }
            if (example.isPresent()) {
                ExampleFields fields = new ExampleFields(example.get(), file().options());
                fields.put(sample, lease(fields.byteSize()));
            }
        }

        @Override
        protected String state() {
            return compressed ? "" : Long.toString(stream.nextOffset());
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
