package org.jspdl.cli.run;

import java.io.IOException;
import java.util.OptionalLong;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.storage.FailureReasons;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.ReadException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.PoolExhaustedException;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;

/// Images in files of their own, found by their number.
public final class FileImages implements ImageInput {
    /// Reads under way at once where a read waits for another machine.
    private static final int REMOTE_READS = 128;

    private final LabeledFiles dataset;
    private final Storage storage;
    private final RunSettings settings;
    private final Sampler sampler;
    private final BufferPool encoded = BufferPool.unbounded("encoded images");
    private final FileBytes files;

    /// The images of `dataset` in `storage`, which stays the caller's.
    public FileImages(LabeledFiles dataset, Storage storage, RunSettings settings) {
        this.dataset = dataset;
        this.storage = storage;
        this.settings = settings;
        this.files = new FileBytes(storage, encoded, FileBytes.MOST_BYTES);
        Sampler whole = settings.shuffle()
                ? Samplers.shuffled(dataset.size(), settings.seed())
                : Samplers.sequential(dataset.size());
        this.sampler = whole.shard(settings.shard().rank(), settings.shard().worldSize());
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public OptionalLong perEpoch() {
        return sampler.size();
    }

    @Override
    public LeftOut leftOut() {
        return dataset.leftOut();
    }

    @Override
    public Pipeline<Sample> samples(RowBlocks rows) {
        StageOptions reading = reading();
        return Pipeline.from(sampler)
                .named("images")
                .map(index -> new Sample(
                        Math.toIntExact(index),
                        dataset.label(index),
                        () -> dataset.location(index).toString(),
                        rows.claim()))
                .pipe("read", this::read, settings.order() == Order.INPUT ? reading.inputOrder() : reading);
    }

    private StageOptions reading() {
        return dataset.location(0).isRemote()
                ? StageOptions.io(REMOTE_READS)
                : StageOptions.cpu(settings.concurrency());
    }

    private Sample read(Sample sample) {
        Location file = dataset.location(sample.index());
        try {
            sample.encoded(files.read(file));
        } catch (IOException | PoolExhaustedException failure) {
            sample.unreadable(ReadException.of(file.toString(), FailureReasons.of(failure), failure));
        }
        return sample;
    }

    @Override
    public void close() {
        encoded.close();
    }
}
