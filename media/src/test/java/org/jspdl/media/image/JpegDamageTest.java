package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.codec.DecodeMode;
import org.jspdl.media.internal.codec.JpegCodec;
import org.jspdl.media.internal.codec.TurboJpegCodec;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.resample.Picture;
import org.jspdl.testing.Programs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged JPEG files by the decoder in Java and by TurboJPEG: where the two may differ is listed here.
class JpegDamageTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final long SEED = Long.getLong("jspdl.campaign.seed", 5);

    /// Damage that libjpeg passes over without a warning: a wrong sample without an error.
    private static final List<String> OVERLOOKED = List.of(
            "there is no such Huffman code",
            "a block has too many coefficients",
            "has no scan",
            "has a length of",
            "are left over");
    /// What is refused by name, whether damage is kept or not: a frame header that damage made one of these.
    private static final String UNSUPPORTED = "arithmetic coding is not supported";
    /// What TurboJPEG alone refuses: fewer than eight bytes behind the last block, which no sample shows, samplings
    /// that it has no name for, and conditions of arithmetic codes in a file that has none.
    private static final List<String> ALLOWED =
            List.of("extraneous bytes before marker", "Could not determine subsampling type", "Bogus DAC");
    private static final String UNEXPLAINED = "other samples within range";
    private static final int PROGRESSIVE = 0xC2;
    private static final List<DecodeMode> MODES = List.of(DecodeMode.STRICT, JpegPlanes.KEPT);
    /// A folder for files about which the two disagree.
    private static final @Nullable String KEEP = System.getProperty("jspdl.campaign.keep");

    private static final int FIRST = 500;
    private static final long MOST_PIXELS = 100_000;

    @TempDir
    Path folder;

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> wrong = new ArrayList<>();

    @BeforeEach
    void requireTheLibrary() {
        Backends.requireTurboJpeg();
    }

    /// Each file by a decoder that has decoded all files before, and by one of its own; the first files once more
    /// at the end, when the virtual machine has compiled everything.
    @Test
    void verdictsAndSamplesAreThoseOfTurboJpegAndTheSameAtAnyTime() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        byte[][] originals = originals(random);
        int files = Integer.getInteger("jspdl.campaign.files", CAMPAIGN ? 300_000 : 2_500);
        List<byte[]> first = new ArrayList<>();
        List<JpegPlanes> cold = new ArrayList<>();
        int digest = 0;
        try (JpegCodec used = new JpegCodec();
                TurboJpegCodec library = new TurboJpegCodec()) {
            for (int i = 0; i < files; i++) {
                byte[] file = damage(originals[random.nextInt(originals.length)], random);
                boolean isSmoothed = isProgressive(file);
                String what = "file " + i + " of seed " + SEED;
                for (DecodeMode mode : MODES) {
                    JpegPlanes planes = JpegPlanes.of(used, file, 1, mode);
                    try (JpegCodec fresh = new JpegCodec()) {
                        assertThat(JpegPlanes.of(fresh, file, 1, mode).difference(planes))
                                .as(what)
                                .isEmpty();
                    }
                    if (!compare(planes, JpegPlanes.of(library, file, 1, mode), mode, isSmoothed, what, file)
                            && KEEP != null) {
                        Files.write(Path.of(KEEP, SEED + "-" + i + ".jpg"), file);
                    }
                    digest = 31 * digest
                            + Arrays.deepHashCode(planes.planes())
                            + planes.refusal().hashCode();
                    if (i < FIRST) {
                        cold.add(planes);
                    }
                }
                if (i < FIRST) {
                    first.add(file);
                }
            }
            for (int i = 0; i < cold.size(); i++) {
                DecodeMode mode = MODES.get(i % MODES.size());
                JpegPlanes warm = JpegPlanes.of(used, first.get(i / MODES.size()), 1, mode);
                assertThat(warm.difference(cold.get(i)))
                        .as("file %d, warm", i / MODES.size())
                        .isEmpty();
            }
        }
        System.out.printf("%,d files of seed %d, digest %08x%n", files, SEED, digest);
        counts.forEach((kind, count) -> System.out.printf("%,9d %s%n", count, kind));
        assertThat(wrong).isEmpty();
        assertThat(counts.getOrDefault("strict: the same samples", 0)).isGreaterThan(files / 20);
        assertThat(counts.getOrDefault("kept: the same samples", 0)).isGreaterThan(files / 8);
        assertThat(counts).doesNotContainKeys("kept: " + UNEXPLAINED, "strict: " + UNEXPLAINED);
    }

    private static boolean isProgressive(byte[] file) {
        for (int i = 0; i + 1 < file.length; i++) {
            if (file[i] == (byte) 0xFF && file[i + 1] == (byte) PROGRESSIVE) {
                return true;
            }
        }
        return false;
    }

    /// Whether the two agree, or why not is known.
    private boolean compare(
            JpegPlanes ours, JpegPlanes theirs, DecodeMode mode, boolean isSmoothed, String what, byte[] file) {
        String verdict;
        int before = wrong.size();
        if (ours.isRefused() && theirs.isRefused()) {
            verdict = "refused by both";
        } else if (ours.isRefused()) {
            verdict = "refused by Java alone";
            boolean overlooked = !mode.keepsDamaged() && OVERLOOKED.stream().anyMatch(ours.refusal()::contains);
            if (!overlooked && !ours.refusal().contains(UNSUPPORTED)) {
                wrong.add(what + ", " + mode + ", refused by Java alone: " + ours.refusal());
            }
        } else if (theirs.isRefused()) {
            verdict = "refused by TurboJPEG alone";
            if (!mode.keepsDamaged() && ALLOWED.stream().noneMatch(theirs.refusal()::contains)) {
                wrong.add(what + ", refused by TurboJPEG alone: " + theirs.refusal());
            }
        } else if (ours.difference(theirs).isEmpty()) {
            verdict = "the same samples";
        } else if (ours.model() == Picture.Model.RGB
                || ours.differenceInRange(theirs).isEmpty()) {
            verdict = "other samples, of coefficients beyond range";
        } else if (isSmoothed) {
            verdict = "other samples, where TurboJPEG makes up for scans that are missing";
        } else if (isBeyondRange(ours, theirs, file, mode)) {
            verdict = "other samples, of coefficients beyond range that only samples beyond the picture show";
        } else if (isReadTwice(ours, file, mode)) {
            verdict = "other samples, where TurboJPEG reads a unit again at FF FF 00";
        } else {
            verdict = UNEXPLAINED;
            System.out.println(what + ": " + ours.differenceInRange(theirs));
        }
        counts.merge((mode.keepsDamaged() ? "kept: " : "strict: ") + verdict, 1, Integer::sum);
        return wrong.size() == before && !verdict.equals(UNEXPLAINED);
    }

    /// Whether the two differ only in blocks whose samples beyond the edge of the picture are clamped.
    private static boolean isBeyondRange(JpegPlanes ours, JpegPlanes theirs, byte[] file, DecodeMode mode) {
        try (JpegCodec codec = new JpegCodec()) {
            return ours.differenceInRange(theirs, JpegPlanes.stored(codec, file, mode))
                    .isEmpty();
        }
    }

    /// Whether the two agree about the same file with `FF 00` for each `FF FF 00`, which T.81 has mean the same. At
    /// the longer one TurboJPEG gives up its fast reading of codes, and its careful one reads the unit again into
    /// blocks that still hold coefficients of the first attempt.
    private static boolean isReadTwice(JpegPlanes ours, byte[] file, DecodeMode mode) {
        byte[] shorter = withoutFillBytes(file);
        try (JpegCodec codec = new JpegCodec();
                TurboJpegCodec library = new TurboJpegCodec()) {
            return shorter.length < file.length
                    && JpegPlanes.of(codec, shorter, 1, mode).difference(ours).isEmpty()
                    && ours.differenceInRange(
                                    JpegPlanes.of(library, shorter, 1, mode), JpegPlanes.stored(codec, shorter, mode))
                            .isEmpty();
        }
    }

    private static byte[] withoutFillBytes(byte[] file) {
        byte[] shorter = new byte[file.length];
        int length = 0;
        for (int i = 0; i < file.length; i++) {
            boolean fills = i + 2 < file.length && file[i] == -1 && file[i + 1] == -1 && file[i + 2] == 0;
            if (!fills) {
                shorter[length++] = file[i];
            }
        }
        return Arrays.copyOf(shorter, length);
    }

    private byte[][] originals(SplittableRandom random) throws IOException {
        List<byte[]> originals = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            JpegMaker maker = JpegGridTest.maker(random);
            byte[] file = maker.make();
            if (i % 3 == 0) {
                Path source = Files.write(folder.resolve("source.jpg"), file);
                file = Programs.output(
                        folder, List.of("jpegtran", i % 2 == 0 ? "-progressive" : "-optimize", source.toString()));
            }
            originals.add(file);
        }
        return originals.toArray(byte[][]::new);
    }

    private static byte[] damage(byte[] sound, SplittableRandom random) {
        byte[] file;
        do {
            file = changed(sound, random);
        } while (isLarge(file));
        return file;
    }

    /// Whether a file says that it is so large that a few of its kind would take most of the time.
    private static boolean isLarge(byte[] file) {
        ImageHeader header = new ImageHeader();
        try {
            ImageHeaders.read(MemorySegment.ofArray(file), header);
            return (long) header.width * header.height > MOST_PIXELS;
        } catch (DecodeException refused) {
            return false;
        }
    }

    private static byte[] changed(byte[] sound, SplittableRandom random) {
        byte[] file = sound.clone();
        if (random.nextInt(4) == 0) {
            file = Arrays.copyOf(file, 2 + random.nextInt(file.length - 2));
        }
        for (int changes = random.nextInt(1, 4); changes > 0 && file.length > 2; changes--) {
            int at = 2 + random.nextInt(file.length - 2);
            file[at] = random.nextInt(8) == 0 ? (byte) 0xFF : (byte) random.nextInt(256);
            if (at + 1 < file.length && random.nextInt(8) == 0) {
                file[at] = (byte) 0xFF;
                file[at + 1] = (byte) random.nextInt(0xC0, 0x100);
            }
        }
        return file;
    }
}
