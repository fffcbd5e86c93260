package org.jspdl.cli.run;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.jspdl.data.dataset.LabeledFiles;
import org.jspdl.data.rows.Row;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.DecodeException;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.FailurePolicy;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.pipeline.Remainder;
import org.jspdl.pipeline.StageOptions;

/// The recipe of the job, with the memory it works in: list, read, decode, batch.
///
/// A sample gets its row in a batch's memory before it is read, so that it is decoded where it stays. For one run at a
/// time. Closed after the run and after every batch.
final class ImageLoading implements AutoCloseable {

    private final ImageInput input;
    private final RunSettings settings;
    private final ImageDecoder decoder;
    private final OptionalLong perEpoch;
    private final BufferPool batches;
    private final RowBlocks rows;
    private final FailureLog failures = new FailureLog();

    /// Loads `dataset` from `storage` as `decoder` makes its images; storage and decoder stay the caller's.
    ImageLoading(LabeledFiles dataset, Storage storage, RunSettings settings, ImageDecoder decoder) {
        this(new FileImages(dataset, storage, settings), settings, decoder);
    }

    /// Loads `input`, which it owns from here, as `decoder` makes its images; the decoder stays the caller's.
    ImageLoading(ImageInput input, RunSettings settings, ImageDecoder decoder) {
        this.input = input;
        this.settings = settings;
        this.decoder = decoder;
        this.perEpoch = perEpoch(input);
        this.batches = BufferPool.unbounded("batches");
        this.rows = RowBlocks.of(
                batches,
                decoder.spec().elements(),
                decoder.spec().rowShape(),
                settings.batch(),
                perEpoch.orElse(Long.MAX_VALUE));
    }

    /// Asks shards for their indexes, which may fail.
    private static OptionalLong perEpoch(ImageInput input) {
        try {
            return input.perEpoch();
        } catch (Throwable failure) {
            input.close();
            throw failure;
        }
    }

    /// How many images an epoch has on this rank; -1 if only reading tells.
    long imagesPerEpoch() {
        return perEpoch.orElse(-1);
    }

    /// The files that were skipped so far.
    FailureLog failures() {
        return failures;
    }

    /// The pipeline; batches belong to whoever receives them.
    Pipeline<ImageBatch> pipeline() {
        StageOptions decoding = ordered(StageOptions.cpu(settings.concurrency()))
                .failures(limited().quarantine(failures::add));
        Pipeline<Sample> read = input.samples(rows);
        Pipeline<Sample> decoded = decoder.spec().isRandom()
                ? read.pipeSeeded("decode", this::augment, decoding)
                : read.pipe("decode", this::decode, decoding);
        return decoded.batch(settings.batch(), Remainder.KEEP).map(this::gather).prefetch(2);
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
                ? FailurePolicy.skipRate(rate, Math.max(1, Math.min(probation, perEpoch.orElse(probation))))
                : policy;
    }

    private Sample decode(Sample sample) {
        return decode(sample, decoder::decodeInto);
    }

    private Sample augment(Sample sample, RandomGenerator random) {
        return decode(sample, (encoded, row) -> decoder.decodeInto(encoded, row, random));
    }

    private Sample decode(Sample sample, BiConsumer<MemorySegment, MemorySegment> into) {
        try {
            into.accept(sample.encoded(), sample.row().segment());
        } catch (DecodeException failure) {
            throw failure.withSource(sample.name());
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
            Sample sample = samples.get(gathered.order()[i]);
            indices[i] = sample.index();
            labels[i] = sample.label();
        }
        return new ImageBatch(gathered.tensor(), labels, indices);
    }

    @Override
    public void close() {
        rows.close();
        try (input;
                batches) {
            // both are closed even if one reports leases that are out
        }
    }
}
