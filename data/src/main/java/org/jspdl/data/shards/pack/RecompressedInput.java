package org.jspdl.data.shards.pack;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import java.util.Optional;
import org.jspdl.data.shards.ShardSample;
import org.jspdl.data.shards.ShardSchema;
import org.jspdl.input.InputException;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.image.ChromaSampling;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageEncoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.source.Source;

/// Samples whose image is made smaller while it is packed; other fields, among them masks beside the image, stay as
/// they are. The image is the field that a loader takes for it, else the first that holds a picture file.
///
/// An image that cannot be decoded is a sample that cannot be read. Owns its decoders, not the input nor the pool.
///
/// @param <T> what the sequence consists of
public final class RecompressedInput<T> implements PackInput<T>, AutoCloseable {
    private final PackInput<T> input;
    private final Recompression how;
    private final BufferPool pool;
    private final ImageDecoder shrinking;
    private final ImageDecoder sameSize;
    private final ImageEncoder encoder;

    private RecompressedInput(PackInput<T> input, Recompression how, BufferPool pool) {
        this.input = input;
        this.how = how;
        this.pool = pool;
        this.sameSize = ImageDecoder.create(ImageSpec.original());
        this.shrinking = ImageDecoder.create(
                how.shorterSide().isPresent()
                        ? ImageSpec.shorterSide(how.shorterSide().getAsInt())
                        : ImageSpec.original());
        this.encoder = ImageEncoder.jpeg(how.quality(), ChromaSampling.HALF_BOTH);
    }

    /// `input` with smaller images; the caller closes it.
    ///
    /// @param pool what images are decoded into and encoded in
    public static <T> RecompressedInput<T> of(PackInput<T> input, Recompression how, BufferPool pool) {
        return new RecompressedInput<>(input, how, pool);
    }

    @Override
    public Source<T> source() {
        return input.source();
    }

    @Override
    public ShardSample read(T item, long number) throws IOException {
        ShardSample sample = input.read(item, number);
        try {
            Optional<String> image = image(sample);
            if (image.isEmpty()) {
                return sample;
            }
            ImageInfo info = ImageDecoder.probe(sample.bytes(image.get()));
            boolean larger =
                    Math.min(info.width(), info.height()) > how.shorterSide().orElse(Integer.MAX_VALUE);
            if (!larger && how.which() == Recompression.Which.LARGER) {
                return sample;
            }
            ShardSample smaller = recompressed(sample, image.get(), larger ? shrinking : sameSize);
            sample.close();
            return smaller;
        } catch (InputException broken) {
            sample.close();
            throw new IOException(sample.shard() + ": " + broken.getMessage(), broken);
        } catch (Throwable failure) {
            sample.close();
            throw failure;
        }
    }

    private static Optional<String> image(ShardSample sample) {
        return ShardSchema.of(sample.names(), "")
                .image()
                .or(() -> sample.names().stream()
                        .filter(name -> sample.elementType(name).isEmpty()
                                && ImageDecoder.format(sample.bytes(name)).isPresent())
                        .findFirst());
    }

    private ShardSample recompressed(ShardSample sample, String image, ImageDecoder by) {
        ShardSample smaller = sample.isNamed()
                ? new ShardSample(sample.shard(), sample.index(), sample.key())
                : new ShardSample(sample.shard(), sample.index());
        try {
            for (String name : sample.names()) {
                if (name.equals(image)) {
                    smaller.with(nameOf(image), encoded(sample.bytes(name), by));
                    continue;
                }
                MemorySegment copy = MemorySegment.ofArray(sample.bytes(name).toArray(ValueLayout.JAVA_BYTE));
                if (sample.elementType(name).isPresent()) {
                    smaller.with(
                            name,
                            sample.elementType(name).get(),
                            sample.array(name).shape(),
                            copy);
                } else {
                    smaller.with(name, copy);
                }
            }
            return smaller;
        } catch (Throwable failure) {
            smaller.close();
            throw failure;
        }
    }

    private Lease encoded(MemorySegment file, ImageDecoder by) {
        try (Tensor pixels = by.decode(file, pool)) {
            return encoder.encode(pixels, pool);
        }
    }

    /// What is called as files of another format end is called `jpg` now.
    private static String nameOf(String field) {
        int dot = field.lastIndexOf('.');
        return switch (field.substring(dot + 1).toLowerCase(Locale.ROOT)) {
            case "png", "webp", "gif", "bmp", "tif", "tiff", "avif", "bin" -> field.substring(0, dot + 1) + "jpg";
            default -> field;
        };
    }

    @Override
    public String identity() throws IOException {
        return input.identity() + ", " + how.identity();
    }

    /// Decoding takes the processors; a remote input waits besides.
    @Override
    public int readsAtOnce() {
        return input.readsAtOnce();
    }

    @Override
    public void close() {
        try (shrinking;
                sameSize) {
            // both are closed even if one fails
        }
    }
}
