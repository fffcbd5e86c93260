package org.jspdl.data.image;

import java.io.IOException;
import org.jspdl.data.dataset.LeftOut;
import org.jspdl.data.shards.ShardOptions;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.source.ShardStream;
import org.jspdl.source.Source;
import org.jspecify.annotations.Nullable;

/// Images in shards, read from front to back: WebDataset tar, Parquet and what else [Shards] opens.
final class ShardImages implements ImageSource {
    private static final String[] IMAGE = {
        "jpg", "jpeg", "png", "webp", "avif", "bmp", "gif", "tif", "tiff", "image", "image.bytes", "img", "bytes"
    };
    private static final String[] LABEL = {"cls", "label", "class", "target"};

    private final ShardStream<ShardSample> shards;
    private final BufferPool encoded;

    private ShardImages(ShardStream<ShardSample> shards, BufferPool encoded) {
        this.shards = shards;
        this.encoded = encoded;
    }

    static ShardImages open(Storage storage, Location pattern, ImageLoaderOptions options) throws IOException {
        BufferPool encoded = BufferPool.unbounded("encoded images");
        try {
            ShardStream<ShardSample> shards = Shards.share(
                    Shards.open(storage, pattern, ShardOptions.defaults(), encoded),
                    options.rank(),
                    options.worldSize(),
                    options.isUneven());
            if (options.shuffles()) {
                shards = shards.shuffled(options.seed())
                        .interleaved(options.interleave())
                        .window(options.window());
            }
            return new ShardImages(shards, encoded);
        } catch (Throwable failure) {
            encoded.close();
            throw failure;
        }
    }

    @Override
    public Source<ImageSample> images() {
        return new LookaheadSource<>("images in ", shards, ShardImage::new);
    }

    @Override
    public Access access() {
        return Access.IN_MEMORY;
    }

    @Override
    public LeftOut leftOut() {
        return LeftOut.NONE;
    }

    @Override
    public void close() {
        encoded.close();
    }

    private static final class ShardImage extends ImageSample {
        private @Nullable ShardSample found;
        private final String name;

        ShardImage(ShardSample found, long epoch, long position, boolean last) {
            super(Math.toIntExact(position), label(found), epoch, last);
            this.found = found;
            this.name = found.shard() + "/" + found.key();
        }

        /// The class number, or -1 where a shard has none.
        private static int label(ShardSample found) {
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
        public String name() {
            return name;
        }

        @Override
        void open() {
            ShardSample sample = found;
            if (sample == null) {
                throw new IllegalStateException(name + " was read already");
            }
            try {
                holds(sample.firstOf(IMAGE));
            } catch (FormatException missing) {
                releaseOrigin();
                throw missing.withSource(name);
            }
        }

        @Override
        void releaseOrigin() {
            if (found != null) {
                found.close();
                found = null;
            }
        }
    }
}
