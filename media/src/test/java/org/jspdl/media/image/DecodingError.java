package org.jspdl.media.image;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspdl.media.ImageInfo;

/// How far is each quality level from a full decode by the JDK and an antialiased resize in double precision? Shorter
/// side 256, crop 224; prints the mean and the 1st percentile of the PSNR over the first 400 JPEG files of a folder.
///
/// Run: `java -cp ... org.jspdl.media.image.DecodingError FOLDER`, with the classpath of [DecodingCost].
final class DecodingError {
    private DecodingError() {}

    public static void main(String[] arguments) throws IOException {
        List<Path> files = DecodingCost.files(Path.of(arguments[0]));
        for (Quality quality : Quality.values()) {
            ImageSpec spec = ImageSpec.shorterSide(256).centerCrop(224, 224).quality(quality);
            List<Double> decibels = new ArrayList<>();
            try (ImageDecoder decoder = ImageDecoder.create(spec)) {
                for (Path file : files) {
                    decibels.add(decibels(Files.readAllBytes(file), spec, decoder));
                }
            }
            Collections.sort(decibels);
            System.out.printf(
                    Locale.ROOT,
                    "%-8s mean %.1f dB, 1st percentile %.1f dB, least %.1f dB of %d images%n",
                    quality,
                    decibels.stream().mapToDouble(d -> d).average().orElseThrow(),
                    decibels.get(decibels.size() / 100),
                    decibels.getFirst(),
                    decibels.size());
        }
    }

    private static double decibels(byte[] encoded, ImageSpec spec, ImageDecoder decoder) {
        ImageInfo info = ImageDecoder.probe(MemorySegment.ofArray(encoded));
        byte[] expected = ReferenceResize.resize(
                TestFiles.decodedByImageIo(encoded), info.width(), spec.place(info.width(), info.height()));
        byte[] actual = new byte[expected.length];
        decoder.decodeInto(MemorySegment.ofArray(encoded), MemorySegment.ofArray(actual));
        return TestFiles.psnr(expected, actual);
    }
}
