package org.jspdl.data.shards.mds;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedMap;
import org.jspdl.data.shards.ShardCursor;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardFormat;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.data.shards.ShardSource;
import org.jspdl.data.shards.ShardSummary;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.StoredObject;
import org.jspdl.input.FormatException;
import org.jspdl.memory.Lease;
import org.jspdl.source.Position;
import org.jspdl.source.Source;

/// MDS, the shards of MosaicML's Streaming: each sample has all columns, whose encodings the file names. Also
/// compressed as a whole, with Zstandard or gzip. The `index.json` beside them is not needed.
public final class MdsFormat implements ShardFormat {
    /// Found by [java.util.ServiceLoader].
    public MdsFormat() {}

    @Override
    public String name() {
        return "MDS";
    }

    @Override
    public boolean reads(Location location) {
        return location.endsWith(".mds", ".mds.zstd", ".mds.zst", ".mds.gz");
    }

    private static boolean isCompressed(ShardFile file) {
        return !file.location().endsWith(".mds");
    }

    @Override
    public Source<ShardSample> open(ShardFile file) {
        return new ShardSource(
                file,
                isCompressed(file) ? Source.Resume.REPLAY : Source.Resume.SEEK,
                MdsFormat::cursor,
                MdsFormat::size);
    }

    private static OptionalLong size(ShardFile file) {
        if (isCompressed(file)) {
            return OptionalLong.empty();
        }
        ByteBuffer count = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (StoredObject object = file.object()) {
            object.read(0, MemorySegment.ofBuffer(count));
            long samples = count.getInt(0) & 0xFFFF_FFFFL;
            if (samples > object.size() / Integer.BYTES) { // each has an offset
                throw MdsHeader.truncated().withSource(file.shown());
            }
            return OptionalLong.of(samples);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Samples cursor(ShardFile file, Position from) throws IOException {
        InputStream content = file.decompressed();
        try {
            MdsHeader header = MdsHeader.read(content);
            return new Samples(file, content, header, from.index());
        } catch (FormatException damaged) {
            content.close();
            throw damaged.withSource(file.shown());
        } catch (Throwable failure) {
            content.close();
            throw failure;
        }
    }

    @Override
    public ShardSchema schema(ShardFile file) throws IOException {
        try (Samples samples = cursor(file, Position.START)) {
            return samples.header.schema();
        }
    }

    @Override
    public ShardSummary inspect(ShardFile file) throws IOException {
        try (Samples samples = cursor(file, Position.START)) {
            MdsHeader header = samples.header;
            List<ShardSummary.FieldSummary> fields = new ArrayList<>();
            for (MdsColumn column : header.columns()) {
                long bytes = column.size() == 0 ? -1 : (long) column.size() * header.samples();
                fields.add(new ShardSummary.FieldSummary(column.name(), column.kind(), header.samples(), bytes));
            }
            SequencedMap<String, String> traits = new LinkedHashMap<>();
            header.schema().describe(traits);
            long all = header.offset(header.samples()) - header.offset(0);
            return new ShardSummary(name(), header.samples(), all, fields, traits);
        }
    }

    private static final class Samples extends ShardCursor {
        private final InputStream content;
        private final MdsHeader header;
        private final List<MdsColumn> wanted;
        private final boolean compressed;
        private final long first;

        Samples(ShardFile file, InputStream content, MdsHeader header, long index) throws IOException {
            super(file, index);
            this.content = content;
            this.header = header;
            this.compressed = isCompressed(file);
            this.first = index;
            this.wanted = header.columns().stream()
                    .filter(column -> column.isWanted(file.options()))
                    .toList();
            if (index < header.samples()) {
                content.skipNBytes(header.offset(index) - header.offset(0));
            }
        }

        @Override
        protected Optional<ShardSample> read(long number) throws IOException {
            if (number >= header.samples()) {
                if (compressed && number > first && content.read() >= 0) { // which verifies the checksum, too
                    throw FormatException.because("MDS: there are bytes behind the last sample");
                }
                return Optional.empty();
            }
            wanted.forEach(MdsColumn::check);
            Lease lease = lease(header.offset(number + 1) - header.offset(number));
            ShardSample sample = sample(number).owning(lease);
            try {
                fill(lease.segment());
                put(sample, lease.segment(), header.offset(number));
                if (!compressed) {
                    sample.lying(header.offset(number), header.offset(number + 1));
                }
                return Optional.of(sample);
            } catch (Throwable failure) {
                sample.close();
                throw failure;
            }
        }

        private void fill(MemorySegment target) throws IOException {
            byte[] piece = new byte[(int) Math.min(target.byteSize(), 1 << 16)];
            for (long at = 0; at < target.byteSize(); ) {
                int n = content.read(piece, 0, (int) Math.min(piece.length, target.byteSize() - at));
                if (n < 0) {
                    throw MdsHeader.truncated();
                }
                MemorySegment.copy(piece, 0, target, java.lang.foreign.ValueLayout.JAVA_BYTE, at, n);
                at += n;
            }
        }

        /// @param begin where `bytes` begin in the shard
        private void put(ShardSample sample, MemorySegment bytes, long begin) {
            long[] sizes = header.sizes(bytes);
            long at = header.sizeBytes();
            for (int i = 0; i < sizes.length; i++) {
                MdsColumn column = header.columns().get(i);
                if (wanted.contains(column)) {
                    MemorySegment value = bytes.asSlice(at, sizes[i]);
                    column.put(sample, value, this::lease);
                    if (!compressed
                            && sample.has(column.name())
                            && sample.bytes(column.name()).equals(value)) {
                        sample.lying(column.name(), begin + at, begin + at + sizes[i]);
                    }
                }
                at += sizes[i];
            }
        }

        @Override
        protected String state() {
            return "";
        }

        @Override
        public void close() throws IOException {
            content.close();
        }
    }
}
