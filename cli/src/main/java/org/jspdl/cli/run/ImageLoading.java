package org.jspdl.cli.run;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspdl.cli.Reason;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.rows.Row;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.media.image.DecodeException;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.PoolExhaustedException;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Order;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;
import org.jspdl.source.Sampler;
import org.jspdl.source.Samplers;

/// The recipe of the job, with the memory it works in: list, read, decode, batch.
///
/// A sample gets its row in a batch's memory before it is read, so that it is decoded where it stays. For one run at a
/// time. Closed after the run and after every batch.
final class ImageLoading implements AutoCloseable {
    /// Reads under way at once where a read waits for another machine.
    private static final int REMOTE_READS = 128;
    private static final long POOL_LIMIT = 1L << 40; // the pipeline's bounds limit what is in use, not the pool

    private final LabeledFiles dataset;
    private final RunSettings settings;
    private final ImageDecoder decoder;
    private final Sampler sampler;
    private final BufferPool encoded = BufferPool.create("encoded images", POOL_LIMIT);
    private final BufferPool batches = BufferPool.create("batches", POOL_LIMIT);
    private final FileBytes files;
    private final RowBlocks rows;
    private final FailureLog failures = new FailureLog();

    /// Loads `dataset` from `storage` as `decoder` makes its images; storage and decoder stay the caller's.
    ImageLoading(LabeledFiles dataset, Storage storage, RunSettings settings, ImageDecoder decoder) {
        this.files = new FileBytes(storage, encoded, FileBytes.MOST_BYTES);
        this.dataset = dataset;
        this.settings = settings;
        this.decoder = decoder;
        Sampler whole = settings.shuffle()
                ? Samplers.shuffled(dataset.size(), settings.seed())
                : Samplers.sequential(dataset.size());
        this.sampler = whole.shard(settings.shard().rank(), settings.shard().worldSize());
        this.rows = RowBlocks.of(
                batches, decoder.spec().elements(), decoder.spec().rowShape(), settings.batch(), imagesPerEpoch());
    }

    /// How many images an epoch has on this rank.
    long imagesPerEpoch() {
        return sampler.size().orElseThrow();
    }

    /// The files that were skipped so far.
    FailureLog failures() {
        return failures;
    }

    /// The pipeline; batches belong to whoever receives them.
    Pipeline<ImageBatch> pipeline() {
        StageOptions decoding = ordered(StageOptions.cpu(settings.concurrency()))
                .onFailure(limited().quarantine(failures::add));
        Pipeline<Sample> read = Pipeline.from(sampler)
                .named("images")
                .map(index -> new Sample(Math.toIntExact(index), rows.claim()))
                .pipe("read", this::read, ordered(reading()));
        Pipeline<Sample> decoded = decoder.spec().isRandom()
                ? read.pipeSeeded("decode", this::augment, decoding)
                : read.pipe("decode", this::decode, decoding);
        return decoded.batch(settings.batch(), Remainder.KEEP_REMAINDER)
                .map(this::gather)
                .sink(2);
    }

    private StageOptions reading() {
        return Location.isRemote(dataset.location(0))
                ? StageOptions.io(REMOTE_READS)
                : StageOptions.cpu(settings.concurrency());
    }

    private StageOptions ordered(StageOptions options) {
        return switch (settings.order()) {
            case INPUT -> options.inputOrder();
            case COMPLETION -> options;
        };
    }

    /// What the user allows, of files: all failures count in one stage, and a rate holds for small datasets too.
    private FailurePolicy limited() {
        FailurePolicy policy = settings.failures();
        return policy instanceof FailurePolicy.SkipRate(double rate, long probation)
                ? FailurePolicy.skipRate(rate, Math.max(1, Math.min(probation, imagesPerEpoch())))
                : policy;
    }

    private Sample read(Sample sample) {
        String file = dataset.location(sample.index());
        try {
            sample.encoded(files.read(file));
        } catch (IOException | PoolExhaustedException failure) {
            sample.unreadable(new ImageFileException(file, Reason.of(failure), failure));
        }
        return sample;
    }

    private Sample decode(Sample sample) throws ImageFileException {
        return decode(sample, decoder::decodeInto);
    }

    private Sample augment(Sample sample, RandomGenerator random) throws ImageFileException {
        return decode(sample, (encoded, row) -> decoder.decodeInto(encoded, row, random));
    }

    private Sample decode(Sample sample, BiConsumer<MemorySegment, MemorySegment> into) throws ImageFileException {
        try {
            into.accept(sample.encoded().segment(), sample.row().segment());
        } catch (DecodeException failure) {
            throw new ImageFileException(dataset.location(sample.index()), failure.reason(), failure);
        }
        sample.releaseEncoded();
        return sample;
    }

    private ImageBatch gather(List<Sample> samples) {
        List<Row> written = samples.stream().map(Sample::row).toList();
        RowBlocks.Gathered gathered = rows.gather(written);
        int[] indices = new int[samples.size()];
        int[] labels = new int[samples.size()];
        for (int i = 0; i < indices.length; i++) {
            indices[i] = samples.get(gathered.order()[i]).index();
            labels[i] = dataset.label(indices[i]);
        }
        return new ImageBatch(gathered.tensor(), labels, indices);
    }

    @Override
    public void close() {
        rows.close();
        try (encoded;
                batches) {
            // both are closed even if one reports leases that are out
        }
    }
}
