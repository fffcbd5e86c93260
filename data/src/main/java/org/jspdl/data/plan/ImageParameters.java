package org.jspdl.data.plan;

import java.util.List;
import java.util.stream.Stream;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Interpolation;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.media.image.Quality;
import org.jspdl.memory.ElementType;
import org.jspdl.plan.Arguments;
import org.jspdl.plan.Parameter;

/// How plans say what an image, or a frame of a video, becomes.
public final class ImageParameters {
    /// Which part of an image is taken.
    public enum Crop {
        /// The middle of the resized image.
        CENTER,
        /// Anywhere in the resized image.
        RANDOM,
        /// A part of random size and shape, then resized: torchvision's `RandomResizedCrop`.
        RANDOM_RESIZED_CROP
    }

    private static final int MOST_PIXELS = 16_384;
    private static final int CHANNELS = 3;

    private static final Parameter<Integer> SIZE =
            Parameter.count("size", 1, MOST_PIXELS).orElse(224);
    /// 0: 8/7 of the size, which is 256 for 224.
    private static final Parameter<Integer> RESIZE =
            Parameter.count("resize", 1, MOST_PIXELS).orElse(0);
    private static final Parameter<Crop> CROP =
            Parameter.choice("crop", Crop.class).orElse(Crop.CENTER);
    private static final Parameter<Integer> PADDING =
            Parameter.count("padding", 0, MOST_PIXELS).orElse(0);
    private static final Parameter<List<Double>> SCALE =
            Parameter.decimals("scale", 0, 1).orElse(List.of(0.08, 1.0));
    private static final Parameter<List<Double>> RATIO =
            Parameter.decimals("ratio", 0, 100).orElse(List.of(3.0 / 4, 4.0 / 3));
    private static final Parameter<Double> FLIP = share("flip");
    private static final Parameter<List<Double>> COLOR_JITTER =
            Parameter.decimals("color-jitter", 0, 100).orElse(List.of());
    private static final Parameter<Double> GRAYSCALE = share("grayscale");
    private static final Parameter<List<Double>> MEAN =
            Parameter.decimals("mean", -1e6, 1e6).orElse(List.of());
    private static final Parameter<List<Double>> STD =
            Parameter.decimals("std", 1e-6, 1e6).orElse(List.of());
    private static final Parameter<ElementType> DTYPE =
            Parameter.choice("dtype", ElementType.class).orElse(ElementType.FLOAT32);
    private static final Parameter<Interpolation> INTERPOLATION =
            Parameter.choice("interpolation", Interpolation.class).orElse(Interpolation.BILINEAR);
    private static final Parameter<Quality> QUALITY =
            Parameter.choice("quality", Quality.class).orElse(Quality.DEFAULT);
    private static final Parameter<Layout> LAYOUT =
            Parameter.choice("layout", Layout.class).orElse(Layout.NCHW);

    private static final List<Parameter<?>> OF_FRAMES = List.of(
            SIZE,
            RESIZE,
            CROP,
            PADDING,
            SCALE,
            RATIO,
            FLIP,
            COLOR_JITTER,
            GRAYSCALE,
            MEAN,
            STD,
            DTYPE,
            INTERPOLATION,
            QUALITY);

    private ImageParameters() {}

    private static Parameter<Double> share(String name) {
        return Parameter.decimal(name, 0, 1).orElse(0.0);
    }

    /// All of them, behind `more`.
    public static Parameter<?>[] with(Parameter<?>... more) {
        return Stream.of(Stream.of(more), Stream.of(LAYOUT), OF_FRAMES.stream())
                .flatMap(each -> each)
                .toArray(Parameter<?>[]::new);
    }

    /// All but the layout, behind `more`.
    static Parameter<?>[] ofFrames(Parameter<?>... more) {
        return Stream.concat(Stream.of(more), OF_FRAMES.stream()).toArray(Parameter<?>[]::new);
    }

    /// What was asked for.
    ///
    /// @throws IllegalArgumentException if parts of it contradict each other
    public static ImageSpec spec(Arguments given) {
        return spec(given, given.get(LAYOUT));
    }

    static ImageSpec spec(Arguments given, Layout layout) {
        ImageSpec spec = framed(given).layout(layout).elements(given.get(DTYPE));
        spec = spec.interpolation(given.get(INTERPOLATION)).quality(given.get(QUALITY));
        if (given.get(FLIP) > 0) {
            spec = spec.randomFlip(given.get(FLIP));
        }
        spec = jittered(spec, given.get(COLOR_JITTER));
        if (given.get(GRAYSCALE) > 0) {
            spec = spec.randomGrayscale(given.get(GRAYSCALE));
        }
        return normalized(spec, given.get(MEAN), given.get(STD));
    }

    /// One strength is of brightness, contrast and saturation; four are of these and hue.
    private static ImageSpec jittered(ImageSpec spec, List<Double> strengths) {
        return switch (strengths.size()) {
            case 0 -> spec;
            case 1 -> spec.colorJitter(strengths.getFirst(), strengths.getFirst(), strengths.getFirst(), 0);
            case 4 -> spec.colorJitter(strengths.get(0), strengths.get(1), strengths.get(2), strengths.get(3));
            default ->
                throw new IllegalArgumentException(
                        "'color-jitter' must be one number, or four for brightness, contrast,"
                                + " saturation and hue, but was " + strengths);
        };
    }

    private static ImageSpec framed(Arguments given) {
        int size = given.get(SIZE);
        return switch (given.get(CROP)) {
            case CENTER -> ImageSpec.shorterSide(resize(given, 0)).centerCrop(size, size);
            case RANDOM -> {
                int padding = given.get(PADDING);
                yield ImageSpec.shorterSide(resize(given, padding)).randomCrop(size, size, padding);
            }
            case RANDOM_RESIZED_CROP -> {
                List<Double> scale = pair("scale", given.get(SCALE));
                List<Double> ratio = pair("ratio", given.get(RATIO));
                yield ImageSpec.randomResizedCrop(
                        size, size, scale.getFirst(), scale.getLast(), ratio.getFirst(), ratio.getLast());
            }
        };
    }

    private static int resize(Arguments given, int padding) {
        int size = given.get(SIZE);
        int resize = given.get(RESIZE) == 0 ? Math.round(size * 8f / 7f) : given.get(RESIZE);
        if (resize + 2L * padding < size) {
            throw new IllegalArgumentException(
                    "'resize' must be at least 'size', or black would surround the image, but" + " was " + resize
                            + " with a size of " + size);
        }
        return resize;
    }

    private static List<Double> pair(String name, List<Double> values) {
        if (values.size() != 2) {
            throw new IllegalArgumentException(
                    "'" + name + "' must be a list of the least and the most but was " + values);
        }
        return values;
    }

    private static ImageSpec normalized(ImageSpec spec, List<Double> mean, List<Double> deviation) {
        if (mean.isEmpty() && deviation.isEmpty()) {
            return spec;
        }
        if (mean.size() != CHANNELS || deviation.size() != CHANNELS) {
            throw new IllegalArgumentException(
                    "'mean' and 'std' must both be lists of 3 numbers but were " + mean + " and " + deviation);
        }
        return spec.normalization(Normalization.of(floats(mean), floats(deviation)));
    }

    private static float[] floats(List<Double> values) {
        float[] floats = new float[values.size()];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = values.get(i).floatValue();
        }
        return floats;
    }
}
