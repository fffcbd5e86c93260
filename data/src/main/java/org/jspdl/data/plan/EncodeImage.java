package org.jspdl.data.plan;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspdl.data.plan.value.Encoded;
import org.jspdl.data.plan.value.FieldLoading;
import org.jspdl.data.plan.value.PlanSample;
import org.jspdl.data.plan.value.UsualField;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.image.ChromaSampling;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageEncoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Layout;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.pipeline.StageFunction;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Operation;
import org.jspdl.plan.Parameter;

/// `encode-image`: a tensor of pixels becomes a picture file. `shrink-image`: a picture file becomes a smaller one.
final class EncodeImage {
    /// What is written.
    enum Format {
        JPEG,
        PNG
    }

    private static final int MOST_PIXELS = 1 << 16;
    private static final Parameter<String> IMAGE = Parameter.text("from").orElse("image");
    private static final Parameter<List<String>> FILE = FieldLoading.from(
            "file", "jpg", "jpeg", "png", "webp", "avif", "bmp", "gif", "tif", "tiff", "image", "image.bytes", "img");
    private static final Parameter<String> TO = Parameter.text("to").orElse("");
    private static final Parameter<Format> FORMAT =
            Parameter.choice("format", Format.class).orElse(Format.JPEG);
    private static final Parameter<Integer> QUALITY =
            Parameter.count("quality", 1, 100).orElse(90);
    private static final Parameter<Layout> LAYOUT =
            Parameter.choice("layout", Layout.class).orElse(Layout.NCHW);
    private static final Parameter<Integer> SHORTER_SIDE = Parameter.count("shorter-side", 1, MOST_PIXELS);

    private EncodeImage() {}

    static List<Operation> operations() {
        return List.of(
                Operation.function(
                        "encode-image",
                        SampleOperations.SAMPLE,
                        SampleOperations.SAMPLE,
                        EncodeImage::encoding,
                        IMAGE,
                        TO,
                        FORMAT,
                        QUALITY,
                        LAYOUT),
                Operation.function(
                        "shrink-image",
                        SampleOperations.SAMPLE,
                        SampleOperations.SAMPLE,
                        EncodeImage::shrinking,
                        FILE,
                        TO,
                        SHORTER_SIDE,
                        QUALITY));
    }

    private static StageFunction<PlanSample, PlanSample> encoding(Arguments given) {
        boolean jpeg = given.get(FORMAT) == Format.JPEG;
        ImageEncoder encoder = (jpeg
                        ? ImageEncoder.jpeg(given.get(QUALITY), ChromaSampling.HALF_BOTH)
                        : ImageEncoder.png())
                .layout(given.get(LAYOUT));
        BufferPool pool = given.keep(BufferPool.unbounded("encoded images"));
        String from = given.get(IMAGE);
        String to = given.get(TO).isEmpty() ? jpeg ? "jpg" : "png" : given.get(TO);
        return sample -> {
            if (!(sample.value(from) instanceof Tensor pixels)) {
                throw new IOException(sample.name() + ": the field '" + from
                        + "' holds no image: put load-image with dtype: uint8 before encode-image");
            }
            if (pixels.type() != ElementType.UINT8) {
                throw new IOException(sample.name() + ": the field '" + from + "' is " + pixels.type()
                        + ", and pictures are written of uint8: say load-image: {dtype: uint8}");
            }
            Lease file = encoder.encode(pixels, pool);
            sample.take(from);
            return owned(sample, to, file);
        };
    }

    private static StageFunction<PlanSample, PlanSample> shrinking(Arguments given) {
        int side = given.get(SHORTER_SIDE);
        ImageDecoder decoder = given.keep(ImageDecoder.create(ImageSpec.shorterSide(side)));
        ImageEncoder encoder = ImageEncoder.jpeg(given.get(QUALITY), ChromaSampling.HALF_BOTH);
        BufferPool pool = given.keep(BufferPool.unbounded("smaller images"));
        UsualField from = UsualField.of(given.get(FILE));
        String to = given.get(TO).isEmpty() ? "jpg" : given.get(TO);
        return sample -> {
            String field = from.of(sample);
            if (!(sample.value(field) instanceof Encoded encoded)) {
                throw new IOException(sample.name() + ": the field '" + field
                        + "' holds no file: put shrink-image before load-image");
            }
            try {
                Lease[] smaller = new Lease[1];
                encoded.read(pool, bytes -> {
                    if (isLarger(bytes, side)) {
                        try (Tensor pixels = decoder.decode(bytes, pool)) {
                            smaller[0] = encoder.encode(pixels, pool);
                        }
                    }
                    return field;
                });
                if (smaller[0] == null) {
                    return sample; // as it is, byte for byte
                }
                sample.take(field);
                return owned(sample, to, smaller[0]);
            } catch (IOException | RuntimeException failure) {
                String message = String.valueOf(failure.getMessage());
                throw message.contains(sample.name())
                        ? failure
                        : new IOException(sample.name() + ": " + message, failure);
            }
        };
    }

    private static boolean isLarger(MemorySegment bytes, int side) {
        ImageInfo info = ImageDecoder.probe(bytes);
        return Math.min(info.width(), info.height()) > side;
    }

    private static PlanSample owned(PlanSample sample, String field, Lease file) {
        return sample.owning(file).adding("the picture", field, new Encoded.InMemory(file.segment()));
    }
}
