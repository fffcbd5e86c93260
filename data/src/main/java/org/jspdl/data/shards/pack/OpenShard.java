package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspdl.data.index.DatasetIndex;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.StorageException;
import org.jspdl.files.FreshFile;
import org.jspdl.input.FormatException;
import org.jspdl.memory.SegmentBuffers;
import org.jspdl.source.Position;

/// A shard that is being written: places are given out one after the other, and filled by any thread in any order.
///
/// It gets its name when the last place is filled: until then it ends with `.part`.
final class OpenShard implements AutoCloseable {
    private static final int END_BYTES = 1024;

    private final ShardStore store;
    private final PackSettings settings;
    private final long number;
    private final FileChannel channel;
    private final List<List<TarIndex.Component>> index = new ArrayList<>();
    private final List<List<PackedField>> rows = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private final SampleChecksums checksums = new SampleChecksums();
    private final AtomicLong unfinished = new AtomicLong(1); // 1 for the places that may still be given out
    private long end;
    private Position after = Position.START;

    private OpenShard(ShardStore store, long number, FileChannel channel) {
        this.store = store;
        this.settings = store.settings();
        this.number = number;
        this.channel = channel;
    }

    static OpenShard create(ShardStore store, long number) throws IOException {
        return new OpenShard(
                store,
                number,
                FileChannel.open(
                        FreshFile.create(gathered(store.settings(), number)),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE));
    }

    private static Path shard(PackSettings settings, long number) {
        return settings.folder().resolve(settings.name(number) + settings.ending());
    }

    /// Where samples are gathered: in the shard itself if it is a tar file, else beside it.
    private static Path gathered(PackSettings settings, long number) {
        return settings.format().isEmpty()
                ? part(shard(settings, number))
                : part(settings.folder().resolve(settings.name(number) + ".rows"));
    }

    private static Path part(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    /// Whether the shard is as large as it may be without `sample`.
    boolean isFullFor(PackedSample sample) {
        if (settings.range() == PackSettings.Range.INPUT) {
            return !index.isEmpty() && range(sample.after()) != range(after);
        }
        return !index.isEmpty()
                && (index.size() >= settings.samples()
                        || end + sample.bytes().byteSize() + END_BYTES > settings.bytes());
    }

    /// Which range of the input a sample is of, by the place behind it.
    private long range(Position behind) {
        return (behind.index() - 1) / settings.samples();
    }

    /// The place of a sample. One thread at a time.
    ///
    /// @throws FormatException if another sample is called alike: readers would take them for one
    long place(PackedSample sample) {
        if (settings.format().isEmpty() && !keys.add(sample.key())) {
            throw FormatException.because(
                    "two samples of one shard are called '" + sample.key() + "'; pack with names by number (--number)");
        }
        long begin = end;
        index.add(sample.files().stream()
                .map(file -> new TarIndex.Component(file.suffix(), begin + file.offset(), file.byteSize(), file.name()))
                .toList());
        rows.add(sample.fields().stream().map(field -> field.movedBy(begin)).toList());
        checksums.add(sample.checksum());
        end += sample.bytes().byteSize();
        after = sample.after();
        unfinished.incrementAndGet();
        return begin;
    }

    /// Fills a place; whether the shard is complete with it.
    boolean write(long place, MemorySegment bytes) throws IOException {
        try {
            SegmentBuffers.write(channel, place, bytes);
        } catch (IOException failure) {
            throw unwritten(failure);
        }
        return unfinished.decrementAndGet() == 0;
    }

    /// Says that there are no more places; whether the shard is complete.
    boolean seal() {
        return unfinished.decrementAndGet() == 0;
    }

    /// Makes the complete shard last, with its index if it has one, and gives them their names.
    PackJournal.Packed finish() throws IOException {
        try {
            return settings.format().isPresent() ? finishRows(settings.format().get()) : finishTar();
        } catch (IOException failure) {
            throw unwritten(failure);
        }
    }

    /// A failure that names the shard, which a disk that is full does not.
    private IOException unwritten(IOException failure) {
        return failure instanceof ClosedByInterruptException || failure instanceof StorageException
                ? failure
                : FreshFile.named(shard(settings, number), failure);
    }

    private PackJournal.Packed finishRows(PackFormat format) throws IOException {
        Path file = shard(settings, number);
        String about;
        String crc32c;
        long bytes;
        try (Arena arena = Arena.ofShared();
                FileChannel target =
                        FileChannel.open(FreshFile.beside(file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            about = format.write(new PackedRows(rows, all), settings.classes(), target);
            target.force(true);
            bytes = target.size();
            crc32c = DatasetIndex.crc32c(target.position(0)); // as it is read back
        }
        store.publishAlone(part(file), file);
        close();
        return new PackJournal.Packed(number, rows.size(), bytes, checksums.value(), after, crc32c, about);
    }

    private PackJournal.Packed finishTar() throws IOException {
        SegmentBuffers.write(channel, end, MemorySegment.ofArray(new byte[END_BYTES]));
        channel.force(true);
        String crc32c = DatasetIndex.crc32c(channel.position(0)); // as it is read back
        channel.close();
        Path tar = shard(settings, number);
        Path idx = settings.index(number);
        try (FileChannel text = FileChannel.open(FreshFile.beside(idx), StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(TarIndex.write(index).getBytes(java.nio.charset.StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                text.write(bytes);
            }
            text.force(true);
        }
        store.publish(part(idx), idx);
        store.publishAlone(part(tar), tar);
        return new PackJournal.Packed(number, index.size(), end + END_BYTES, checksums.value(), after, crc32c, "");
    }

    /// Gives up what is not complete.
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(gathered(settings, number));
        Files.deleteIfExists(part(shard(settings, number)));
    }
}
