package org.jspdl.cli.run;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.data.loader.EpochEnds;
import org.jspdl.data.rows.RowBlocks;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.pipeline.Pipeline;
import org.jspdl.source.ShardStream;

/// Images in shards, read from front to back: WebDataset tar, Parquet and what else [Shards] opens.
///
/// With `--shuffle` the order of the shards is drawn for each epoch, some are read by turns, and images are shuffled
/// within windows.
public final class ShardImages implements ImageInput {
    private static final int INTERLEAVED = 4;
    private static final int WINDOW = 1_000;
    private static final String[] IMAGE = {
        "jpg", "jpeg", "png", "webp", "avif", "bmp", "gif", "tif", "tiff", "image", "image.bytes", "img", "bytes"
    };
    private static final String[] LABEL = {"cls", "label", "class", "target"};

    private final Storage storage;
    private final ShardStream<ShardSample> shards;
    private final BufferPool encoded;
    private final AtomicInteger numbers = new AtomicInteger();

    private ShardImages(Storage storage, ShardStream<ShardSample> shards, BufferPool encoded) {
        this.storage = storage;
        this.shards = shards;
        this.encoded = encoded;
    }

    /// The images in the shards that `pattern` means, in `storage`, which stays the caller's.
    public static ShardImages open(Storage storage, Location pattern, RunSettings settings) throws IOException {
        BufferPool encoded = BufferPool.unbounded("encoded images");
        try {
            RunSettings.Shard part = settings.shard();
            ShardStream<ShardSample> shards = Shards.share(
                    Shards.open(storage, pattern, ShardOptions.defaults(), encoded),
                    part.rank(),
                    part.worldSize(),
                    part.uneven());
            return new ShardImages(
                    storage,
                    settings.shuffle()
                            ? shards.shuffled(settings.seed())
                                    .interleaved(INTERLEAVED)
                                    .window(WINDOW)
                            : shards,
                    encoded);
        } catch (Throwable failure) {
            encoded.close();
            throw failure;
        }
    }

    @Override
    public Storage storage() {
        return storage;
    }

    @Override
    public OptionalLong perEpoch() {
        return shards.size();
    }

    @Override
    public Pipeline<Sample> samples(RowBlocks rows) {
        // the block of rows ends with the epoch, as the last batch does
        return Pipeline.from(EpochEnds.of(shards, rows::close)).named("images").map(found -> sample(found, rows));
    }

    private Sample sample(ShardSample found, RowBlocks rows) {
        String name = name(found);
        Sample sample = new Sample(numbers.getAndIncrement(), label(found), () -> name, rows.claim());
        try {
            sample.encoded(image(found), found::close);
        } catch (FormatException missing) {
            found.close();
            sample.unreadable(missing.withSource(name));
        }
        return sample;
    }

    /// What an image is called in messages.
    static String name(ShardSample found) {
        return found.shard() + "/" + found.key();
    }

    /// The encoded image of a sample.
    ///
    /// @throws FormatException if it has none
    static MemorySegment image(ShardSample found) {
        return found.firstOf(IMAGE);
    }

    /// The class number, or -1 where a shard has none.
    static int label(ShardSample found) {
        for (String field : LABEL) {
            if (found.has(field)) {
                try {
                    return Math.toIntExact(found.number(field));
                } catch (FormatException | ArithmeticException noNumber) {
                    return -1;
                }
            }
        }
        return -1;
    }

    @Override
    public void close() {
        encoded.close();
    }
}
