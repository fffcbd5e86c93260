package org.jspdl.cli.settings;

import java.util.Arrays;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.PictureSettings;
import org.jspdl.cli.run.PictureSettings.ColorJitter;
import org.jspdl.cli.run.PictureSettings.Crop;
import org.jspdl.media.image.JpegBackend;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Quality;
import org.jspdl.memory.ElementType;

/// Reads the options of `jspdl run` that say what each image becomes.
///
/// @param line what was given
public record PictureArguments(CommandLine line) {
    private static final int MOST_PIXELS = 16_384;

    /// What each image becomes.
    public PictureSettings settings() throws UsageException {
        int size = line.integer("--size", 224, 1, MOST_PIXELS);
        int resize = line.integer("--resize", Math.max(1, Math.round(size * 8f / 7f)), 1, MOST_PIXELS);
        Crop crop = line.choice("--crop", Crop.CENTER, Crop.class);
        if (crop == Crop.RANDOM_RESIZED_CROP && line.has("--resize")) {
            throw new UsageException(
                    "--resize cannot be given with --crop random-resized-crop, which takes parts of any size");
        }
        if (resize < size && crop != Crop.RANDOM_RESIZED_CROP) {
            throw new UsageException("--resize must be at least --size, or black would surround the image, but was "
                    + resize + " with a size of " + size);
        }
        ElementType elements = elements();
        if (line.has("--normalize") && elements == ElementType.UINT8) {
            throw new UsageException("--normalize needs a floating-point --dtype, such as float32");
        }
        return new PictureSettings(
                size,
                resize,
                line.choice("--layout", Layout.NCHW, Layout.class),
                elements,
                crop,
                flip(),
                colorJitter(),
                line.has("--normalize"),
                line.choice("--quality", Quality.DEFAULT, Quality.class),
                jpeg());
    }

    /// Reports name the decoder in Java, which is the best, so its name is taken, too.
    private JpegBackend jpeg() throws UsageException {
        String given = line.text("--jpeg").orElse("java");
        return switch (given) {
            case "java", "best" -> JpegBackend.BEST;
            case "turbojpeg" -> JpegBackend.TURBOJPEG;
            case "ffmpeg" -> JpegBackend.FFMPEG;
            default ->
                throw new UsageException(
                        "--jpeg must be java (or best) or turbojpeg or ffmpeg but was '" + given + "'");
        };
    }

    private ElementType elements() throws UsageException {
        return switch (line.choice("--dtype", Dtype.FLOAT32, Dtype.class)) {
            case UINT8 -> ElementType.UINT8;
            case FLOAT32 -> ElementType.FLOAT32;
            case FLOAT16 -> ElementType.FLOAT16;
            case BFLOAT16 -> ElementType.BFLOAT16;
        };
    }

    private enum Dtype {
        UINT8,
        FLOAT32,
        FLOAT16,
        BFLOAT16
    }

    private double flip() throws UsageException {
        double[] given = numbers("--flip", "a probability from 0 to 1", "0");
        if (given.length != 1 || !(given[0] >= 0 && given[0] <= 1)) {
            throw wrong("--flip", "a probability from 0 to 1");
        }
        return given[0];
    }

    private ColorJitter colorJitter() throws UsageException {
        String wanted = "a number, or four such as 0.4,0.4,0.4,0.1, none negative, the last (hue) at most 0.5";
        double[] given = numbers("--color-jitter", wanted, "0");
        double[] four = given.length == 1 ? new double[] {given[0], given[0], given[0], 0} : given;
        if (four.length != 4 || Arrays.stream(four).anyMatch(x -> !(x >= 0 && x < 1000)) || four[3] > 0.5) {
            throw wrong("--color-jitter", wanted);
        }
        return new ColorJitter(four[0], four[1], four[2], four[3]);
    }

    private double[] numbers(String option, String wanted, String otherwise) throws UsageException {
        try {
            return Arrays.stream(line.text(option).orElse(otherwise).split(",", -1))
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } catch (NumberFormatException notANumber) {
            throw wrong(option, wanted);
        }
    }

    private UsageException wrong(String option, String wanted) {
        return new UsageException(
                option + " must be " + wanted + " but was '" + line.text(option).orElse("") + "'");
    }
}
