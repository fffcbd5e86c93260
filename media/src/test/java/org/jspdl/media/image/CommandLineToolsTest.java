package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.testing.Programs;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// JPEG files of many kinds that `cjpeg` makes, against what `djpeg` and `ffmpeg` make of them; and our own files read
/// by these two.
class CommandLineToolsTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "61, 47, -quality 90",
        "61, 47, -quality 90 -progressive",
        "61, 47, -quality 50 -sample 1x1",
        "97, 33, -quality 75 -sample 2x1",
        "97, 33, -quality 75 -sample 1x2",
        "97, 33, -quality 75 -sample 4x1",
        "97, 33, -quality 75 -grayscale",
        "80, 64, -quality 85 -restart 1",
        "80, 64, -quality 85 -restart 3B -progressive",
        "17, 129, -quality 100 -optimize",
        "1, 1, -quality 90",
        "8, 200, -quality 10",
        "333, 7, -quality 95 -progressive -sample 1x1",
        "120, 90, -quality 80 -arithmetic"
    })
    void jpegFilesAreReadAsDjpegAndFfmpegReadThem(int width, int height, String options) throws Exception {
        Backends.requireTurboJpeg();
        Path source = portable(width, height);
        Path jpeg = folder.resolve("picture.jpg");
        List<String> make = new ArrayList<>(List.of("cjpeg", "-outfile", jpeg.toString()));
        make.addAll(List.of(options.split(" ", -1)));
        make.add(source.toString());
        run(make);
        boolean arithmetic = options.contains("arithmetic");
        byte[] djpeg = pixels(run(List.of("djpeg", "-ppm", jpeg.toString())), width, height);
        ImageSpec spec = ImageSpec.original().quality(Quality.EXACT);

        for (JpegBackend backend : List.of(JpegBackend.TURBOJPEG, JpegBackend.FFMPEG)) {
            if (arithmetic && backend == JpegBackend.FFMPEG) {
                continue; // FFmpeg has no decoder for it
            }
            byte[] ours = JpegDecodingTest.decode(Files.readAllBytes(jpeg), spec, backend);
            // enlarging chroma in both directions at once rounds less often than djpeg does
            assertThat(TestFiles.psnr(djpeg, ours))
                    .as("%s against djpeg", backend)
                    .isGreaterThan(45);
            assertThat(TestFiles.largestError(djpeg, ours)).as("%s", backend).isLessThanOrEqualTo(10);
        }
        if (!arithmetic) {
            byte[] ffmpeg = run(List.of(
                    "ffmpeg",
                    "-v",
                    "error",
                    "-i",
                    jpeg.toString(),
                    "-f",
                    "rawvideo",
                    "-pix_fmt",
                    "rgb24",
                    "-sws_flags",
                    "bilinear+full_chroma_int+full_chroma_inp+accurate_rnd",
                    "-"));
            byte[] ours = JpegDecodingTest.decode(Files.readAllBytes(jpeg), spec, JpegBackend.FFMPEG);
            // ffmpeg places chroma otherwise when it enlarges it
            assertThat(TestFiles.psnr(ffmpeg, ours)).as("ffmpeg").isGreaterThan(options.contains("1x1") ? 40 : 22);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TURBOJPEG", "FFMPEG"})
    void ourJpegFilesAreReadByDjpegAsByUs(JpegBackend backend) throws Exception {
        Backends.require(backend);
        byte[] rgb = pixels(Files.readAllBytes(portable(61, 47)), 61, 47);
        for (ChromaSampling sampling : ChromaSampling.values()) {
            byte[] file = ImageEncoderTest.encode(
                    ImageEncoder.jpeg(92, sampling, backend), rgb, Shape.of(47, 61, 3), ElementType.UINT8);
            Path jpeg = Files.write(folder.resolve("ours.jpg"), file);

            byte[] djpeg = pixels(run(List.of("djpeg", "-ppm", jpeg.toString())), 61, 47);
            byte[] ours = JpegDecodingTest.decode(file, ImageSpec.original().quality(Quality.EXACT), JpegBackend.BEST);

            assertThat(TestFiles.psnr(djpeg, ours)).isGreaterThan(45);
            assertThat(TestFiles.psnr(rgb, djpeg)).isGreaterThan(sampling == ChromaSampling.FULL ? 35 : 28);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rgb24, 3, UINT8, RGB",
        "rgba, 4, UINT8, RGBA",
        "gray, 1, UINT8, GRAY",
        "gray16le, 1, UINT16, GRAY",
        "rgb48le, 3, UINT16, RGB"
    })
    void ourPngFilesAreReadByFfmpegToTheByte(String format, int channels, ElementType type, Channels as)
            throws Exception {
        byte[] pixels = new byte[61 * 47 * channels * type.byteSize()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i * 7 + i / 61 * 3);
        }
        Path png = Files.write(
                folder.resolve("ours.png"),
                ImageEncoderTest.encode(ImageEncoder.png(), pixels, Shape.of(47, 61, channels), type));

        byte[] read =
                run(List.of("ffmpeg", "-v", "error", "-i", png.toString(), "-f", "rawvideo", "-pix_fmt", format, "-"));

        assertThat(read).isEqualTo(pixels);
        assertThat(JpegDecodingTest.decode(
                        Files.readAllBytes(png),
                        ImageSpec.original().channels(as).elements(type),
                        JpegBackend.BEST))
                .isEqualTo(pixels);
    }

    /// A smooth picture with some edges, as a PPM file.
    private Path portable(int width, int height) throws IOException {
        byte[] header = ("P6\n" + width + " " + height + "\n255\n").getBytes(StandardCharsets.US_ASCII);
        byte[] file = Arrays.copyOf(header, header.length + 3 * width * height);
        for (int i = 0; i < width * height; i++) {
            int x = i % width;
            int y = i / width;
            file[header.length + 3 * i] = (byte) (128 + 100 * Math.sin(x / 9.0) * Math.cos(y / 11.0));
            file[header.length + 3 * i + 1] = (byte) (255 * x / width);
            file[header.length + 3 * i + 2] = (byte) ((x / 24 + y / 24) % 2 == 0 ? 60 : 130);
        }
        return Files.write(folder.resolve("source.ppm"), file);
    }

    /// The pixels behind the header of a PPM or PGM file, as RGB.
    private static byte[] pixels(byte[] portable, int width, int height) {
        int count = width * height;
        boolean gray = portable[1] == '5';
        byte[] rgb = new byte[3 * count];
        int start = portable.length - (gray ? count : 3 * count);
        for (int i = 0; i < rgb.length; i++) {
            rgb[i] = portable[start + (gray ? i / 3 : i)];
        }
        return rgb;
    }

    private byte[] run(List<String> command) {
        return Programs.output(folder, command);
    }
}
