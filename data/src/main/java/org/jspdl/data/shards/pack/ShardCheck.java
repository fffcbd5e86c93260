package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;
import org.jspdl.archive.TarStream;
import org.jspdl.data.shards.ShardFile;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.shards.tar.TarIndex;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.source.Cursor;
import org.jspdl.source.Position;

/// Reads packed shards again and compares every name and byte with what was packed, and each index with its shard.
public final class ShardCheck {

    private ShardCheck() {}

    /// Checks all shards that `settings` made of `input`.
    ///
    /// @param storage  reaches the shards
    /// @param progress gets the number of samples that were compared, now and then
    /// @throws PackException at the first difference
    public static void check(PackInput<?> input, PackSettings settings, Storage storage, LongConsumer progress)
            throws IOException {
        try (PackJournal journal = PackJournal.open(settings);
                BufferPool pool = BufferPool.unbounded("checked samples")) {
            long before = 0;
            for (PackJournal.Packed packed : journal.begin(input.identity(), new ShardStore(settings, storage))) {
                ShardFile file = new ShardFile(storage, settings.shard(packed.shard()), ShardOptions.defaults(), pool);
                try {
                    if (settings.format().isPresent()) {
                        compareRows(file, packed, before, progress);
                    } else {
                        compare(file, packed, before, progress);
                    }
                } catch (FormatException damaged) {
                    throw new PackException(file.location() + " is damaged: " + damaged.reason());
                }
                before += packed.samples();
            }
        }
    }

    private static void compare(ShardFile file, PackJournal.Packed packed, long before, LongConsumer progress)
            throws IOException {
        List<List<TarIndex.Component>> index = TarIndex.read(file).samples();
        SampleChecksums checksums = new SampleChecksums();
        long samples = 0;
        try (TarStream tar = TarStream.over(file.open(0))) {
            for (List<TarIndex.Component> sample : index) {
                CRC32C checksum = new CRC32C();
                for (TarIndex.Component expected : sample) {
                    if (!tar.advance()
                            || !tar.entry().name().equals(expected.name())
                            || tar.entry().dataOffset() != expected.offset()
                            || tar.entry().byteSize() != expected.byteSize()) {
                        throw new PackException(
                                file.location() + " does not have '" + expected.name() + "' where its index says");
                    }
                    try (Lease content = file.pool().lease(expected.byteSize())) {
                        tar.read(content.segment());
                        PackedSample.update(checksum, expected.name(), content.segment());
                    }
                }
                checksums.add((int) checksum.getValue());
                progress.accept(before + ++samples);
            }
            if (tar.advance()) {
                throw new PackException(file.location() + " has more files than its index");
            }
        }
        requireEqual(file, packed, samples, checksums);
    }

    /// By what a loader gets of the shard.
    private static void compareRows(ShardFile file, PackJournal.Packed packed, long before, LongConsumer progress)
            throws IOException {
        SampleChecksums checksums = new SampleChecksums();
        long samples = 0;
        try (Cursor<ShardSample> cursor = Shards.shard(
                        file.storage(), file.location().text(), file.options(), file.pool())
                .open(0, Position.START)) {
            while (cursor.advance()) {
                try (ShardSample sample = cursor.item()) {
                    CRC32C checksum = new CRC32C();
                    PackedFields.row(sample)
                            .forEach((name, value) -> PackedSample.update(checksum, name, value.bytes()));
                    checksums.add((int) checksum.getValue());
                    progress.accept(before + ++samples);
                }
            }
        } catch (IOException | RuntimeException failure) {
            throw failure;
        } catch (Exception failure) {
            throw new IOException(failure);
        }
        requireEqual(file, packed, samples, checksums);
    }

    private static void requireEqual(ShardFile file, PackJournal.Packed packed, long samples, SampleChecksums checksums)
            throws PackException {
        if (samples != packed.samples() || checksums.value() != packed.checksum()) {
            throw new PackException(file.location() + " differs from what was packed; delete it and pack again");
        }
    }
}
