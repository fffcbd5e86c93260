package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.storage.Storage;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Run;
import org.jspdl.pipeline.RunOptions;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Position;

/// Packs samples into WebDataset shards, each with an index, and writes the index of the dataset.
///
/// Samples are read by several threads, get their places in the order of the input, and are written by several threads
/// again. The same input and settings make the same bytes. What a killed process left is gone on with: shards that are
/// complete stay, the others are written again.
public final class ShardPacker {
    private static final Duration TICK = Duration.ofMillis(100);
    private static final long IN_FLIGHT_BYTES = 512L << 20;

    private ShardPacker() {}

    /// Packs what is not packed yet. Interrupting the thread ends the work; packing again goes on with it.
    ///
    /// @param storage  where complete shards are sent, if the settings say so
    /// @param progress gets the number of samples that are in shards, now and then
    /// @throws PackException if something else was packed there
    /// @throws org.jspdl.data.storage.StorageException if nothing can be written where they are to be sent: before
    ///     the first sample is read, as far as that can be known
    /// @throws org.jspdl.pipeline.PipelineException if a sample can't be read or written
    public static <T> PackResult pack(PackInput<T> input, PackSettings settings, Storage storage, LongConsumer progress)
            throws IOException {
        ShardStore store = new ShardStore(settings, storage);
        store.require();
        try (PackJournal journal = PackJournal.open(settings);
                BufferPool pool = BufferPool.unbounded("packed samples")) {
            List<PackJournal.Packed> found = journal.begin(input.identity(), store);
            Position begin = found.isEmpty() ? Position.START : found.getLast().after();
            try (ShardAssigner placing = new ShardAssigner(store, journal, found.size())) {
                boolean complete = write(input, settings, placing, begin, pool, progress);
                List<PackJournal.Packed> all = new ArrayList<>(found);
                placing.packed().forEach(all::add);
                all.sort(Comparator.comparingLong(PackJournal.Packed::shard));
                return result(store, all, found.size(), complete);
            }
        }
    }

    private static <T> boolean write(
            PackInput<T> input,
            PackSettings settings,
            ShardAssigner placing,
            Position begin,
            BufferPool pool,
            LongConsumer progress)
            throws IOException {
        StageOptions reading = StageOptions.io(input.readsAtOnce()).inputOrder().failures(settings.failures());
        Pipeline<Long> packing = Pipeline.from(new Numbered.From<>(input.source(), begin))
                .named("samples")
                .pipe("read", numbered -> read(input, settings, numbered, pool), reading)
                .weigh(sample -> sample.bytes().byteSize())
                .pipe("place", placing::place, StageOptions.io(1).inputOrder())
                .pipe("write", placing::write, StageOptions.io(settings.writers()));
        long done = begin.index();
        RunOptions options = RunOptions.defaults().epochs(1).byteBudget(new ByteBudget(IN_FLIGHT_BYTES, 0));
        try (Run<Long> run = packing.start(options)) {
            while (!run.epochEnded()) {
                done += run.poll(TICK).isPresent() ? 1 : 0;
                progress.accept(done);
            }
        } catch (InterruptedException interrupted) {
            return false;
        }
        placing.end();
        return true;
    }

    private static <T> PackedSample read(
            PackInput<T> input, PackSettings settings, Numbered<T> numbered, BufferPool pool) throws IOException {
        try (ShardSample sample = input.read(numbered.item(), numbered.number())) {
            if (settings.format().isPresent()) {
                return PackedSample.row(sample, numbered.after(), pool);
            }
            return PackedSample.of(
                    sample, ShardWriter.key(sample, settings, numbered.number()), numbered.after(), pool);
        }
    }

    /// Writes the index of the dataset when it is complete.
    private static PackResult result(ShardStore store, List<PackJournal.Packed> all, int found, boolean complete)
            throws IOException {
        PackSettings settings = store.settings();
        if (complete) {
            List<Path> files = WrittenShard.index(
                    settings,
                    all.stream()
                            .map(each -> new WrittenShard(
                                    each.shard(), each.samples(), each.bytes(), each.crc32c(), each.about()))
                            .toList());
            if (settings.isSent()) {
                for (Path each : files) {
                    store.send(each, String.valueOf(each.getFileName()));
                }
            }
        }
        return new PackResult(
                all.size(),
                all.stream().mapToLong(PackJournal.Packed::samples).sum(),
                all.stream().mapToLong(PackJournal.Packed::bytes).sum(),
                found,
                complete,
                settings.pattern(Math.max(1, all.size())));
    }
}
