package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Interpolation;
import org.jspdl.media.image.Quality;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Compares what we make of a folder of other people's sounds and videos, `-Djspdl.foreign=FOLDER`, with what the
/// machine's `ffmpeg` makes of it, and writes the table of verdicts to `target/foreign-media.md`.
///
/// Every file is decoded or refused by a [MediaException]; whether a disagreement is right is for the reader.
@Tag("campaign")
@EnabledIfSystemProperty(named = "jspdl.foreign", matches = ".+")
class ForeignMediaTest {
    private static final String VIDEOS = "mp4|mkv|webm|avi|mov|3gp|ts|mts|m2ts|mpg|mpeg|flv|ogv|nut|ivf|asf|wmv|y4m";
    private static final String SOUNDS =
            "wav|w64|flac|mp3|mp2|ogg|oga|opus|m4a|m4b|aac|ac3|eac3|aif|aiff|aifc|caf|au|wma"
                    + "|wv|tta|ape|mpc|spx|ofr|tak|dsf|dff|amr|mka|oggflac";
    /// Of samples from -1 to 1, and of bytes.
    private static final double SOUND_TOLERANCE = 1e-4;

    private static final int PIXEL_TOLERANCE = 3;
    /// Bilinear chroma is half a row too high in some releases of the program (VideoGridTest).
    private static final String BICUBIC = "bicubic+accurate_rnd+full_chroma_int+full_chroma_inp";

    private static final int MOST_BYTES = 1 << 29;
    private static final DecodeOptions SKIPPED = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);

    private final Map<String, List<String>> table = new TreeMap<>();

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void everyForeignFileIsDecodedAsByFfmpegOrRefusedByName() throws IOException {
        Path folder = Path.of(System.getProperty("jspdl.foreign"));
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        int compared = 0;
        for (Path file : files) {
            String name = folder.relativize(file).toString();
            String end = name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
            if (end.matches(SOUNDS) || end.matches(VIDEOS)) {
                add(sound(file), "sound of " + name);
                compared++;
            }
            if (end.matches(VIDEOS)) {
                add(video(file), "pictures of " + name);
                compared++;
            }
        }
        StringBuilder text = new StringBuilder();
        table.forEach((verdict, names) -> {
            text.append("## ")
                    .append(names.size())
                    .append(" x ")
                    .append(verdict)
                    .append("\n\n");
            names.forEach(name -> text.append("* ").append(name).append('\n'));
            text.append('\n');
        });
        Files.writeString(Path.of("target", "foreign-media.md"), text);
        assertThat(compared).isPositive();
    }

    private void add(String verdict, String name) {
        int details = verdict.indexOf(": ");
        table.computeIfAbsent(details < 0 ? verdict : verdict.substring(0, details), _ -> new ArrayList<>())
                .add(name + (details < 0 ? "" : verdict.substring(details)));
    }

    private static String sound(Path file) throws IOException {
        byte[] theirs = ffmpeg(file, "-map", "0:a:0", "-c:a", "pcm_f32le", "-f", "f32le");
        AudioSpec spec = AudioSpec.original().layout(SampleLayout.INTERLEAVED);
        try {
            return sound(file, spec, theirs);
        } catch (MediaException refused) {
            return refused(theirs, refused, () -> sound(file, spec.decoding(SKIPPED), theirs));
        }
    }

    private static String sound(Path file, AudioSpec spec, byte[] theirs) {
        try (Tensor ours = Audio.load(file, spec)) {
            if (theirs.length == 0) {
                return "only we decode: " + ours.shape();
            }
            ByteBuffer expected = ByteBuffer.wrap(theirs).order(ByteOrder.LITTLE_ENDIAN);
            long count = Math.min(ours.shape().elements(), theirs.length / 4);
            double worst = 0;
            for (int i = 0; i < count; i++) {
                worst = Math.max(
                        worst,
                        Math.abs((double) ours.segment().getAtIndex(ValueLayout.JAVA_FLOAT, i)
                                - expected.getFloat(4 * i)));
            }
            boolean sameLength = ours.shape().elements() == theirs.length / 4;
            if (!sameLength) {
                return "lengths differ: ours " + ours.shape() + ", ffmpeg's " + theirs.length / 4
                        + " samples of all channels, difference " + worst;
            }
            return worst <= SOUND_TOLERANCE ? "same" : "samples differ: by " + worst;
        }
    }

    /// Where chroma lies across, which the program knows but does not tell its scaler.
    private static String chroma(Path file) throws IOException {
        byte[] place = output(List.of(
                "ffprobe",
                "-v",
                "quiet",
                "-select_streams",
                "v:0",
                "-show_entries",
                "stream=chroma_location",
                "-of",
                "csv=p=0",
                file.toString()));
        return new String(place, StandardCharsets.UTF_8).startsWith("left") ? "in_h_chr_pos=0:" : "";
    }

    private static String video(Path file) throws IOException {
        byte[] theirs = ffmpeg(
                file,
                "-map",
                "0:v:0",
                "-fps_mode",
                "passthrough",
                "-vf",
                "scale=" + chroma(file) + "flags=" + BICUBIC,
                "-pix_fmt",
                "rgb24",
                "-f",
                "rawvideo");
        if (theirs.length >= MOST_BYTES) {
            return "too large to compare";
        }
        VideoSpec spec =
                VideoSpec.of(ImageSpec.original().quality(Quality.EXACT).interpolation(Interpolation.BICUBIC));
        try {
            return video(file, spec, theirs);
        } catch (MediaException refused) {
            return refused(theirs, refused, () -> video(file, spec.decoding(SKIPPED), theirs));
        }
    }

    private static String video(Path file, VideoSpec spec, byte[] theirs) {
        try (Tensor ours = Video.load(file, spec)) {
            if (theirs.length == 0) {
                return "only we decode: " + ours.shape();
            }
            if (ours.segment().byteSize() != theirs.length) {
                return "lengths differ: ours " + ours.shape() + ", ffmpeg's " + theirs.length + " bytes";
            }
            long sum = 0;
            int worst = 0;
            for (int i = 0; i < theirs.length; i++) {
                int difference = Math.abs((ours.segment().get(ValueLayout.JAVA_BYTE, i) & 0xFF) - (theirs[i] & 0xFF));
                worst = Math.max(worst, difference);
                sum += difference;
            }
            return worst <= PIXEL_TOLERANCE
                    ? "same"
                    : String.format(
                            Locale.ROOT, "pixels differ: by %d, %.3f in the mean", worst, sum / (double) theirs.length);
        }
    }

    /// Where only the program decodes, also what we make of the file if we may leave out what is damaged.
    private static String refused(byte[] theirs, MediaException refused, Supplier<String> whatIsLeft) {
        String message = String.valueOf(refused.getMessage());
        String why = message.contains("stream in it") ? "there is none" : message;
        if (theirs.length == 0) {
            return "both refuse: " + why;
        }
        String left;
        try {
            left = whatIsLeft.get();
        } catch (MediaException again) {
            left = "refused, too";
        }
        return "only ffmpeg decodes: " + why + "; with damage skipped: " + left;
    }

    private static byte[] ffmpeg(Path file, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of("ffmpeg", "-v", "quiet", "-nostdin", "-i", file.toString()));
        command.addAll(List.of(options));
        command.addAll(List.of("-fs", Integer.toString(MOST_BYTES), "-"));
        return output(command);
    }

    /// What a program writes, whether or not it can read the file.
    private static byte[] output(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.getInputStream().readAllBytes();
    }
}
