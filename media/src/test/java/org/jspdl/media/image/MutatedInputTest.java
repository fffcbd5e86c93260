package org.jspdl.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.input.DecodeException;
import org.jspdl.memory.ElementType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A campaign against the decoders: files of every format with bytes changed, cut, repeated and moved, from a printed
/// seed.
///
/// Every input either decodes or is a [DecodeException]; nothing outside of the row is written. Takes as many
/// inputs in every build; with `-Pcampaign` as many as 2 minutes allow, or as long as `-Djspdl.campaign.seconds=N`
/// says, with `-Djspdl.campaign.seed=N`.
@Tag("slow")
class MutatedInputTest {
    /// In a build, whose outcome must not depend on how fast the machine is.
    private static final long INPUTS = 8_000;

    private static final List<String> FILES = List.of(
            "jpeg/420-121x87.jpg",
            "jpeg/420-progressive-160x120.jpg",
            "jpeg/gray-97x131.jpg",
            "jpeg/cmyk-90x70.jpg",
            "jpeg/411-121x87.jpg",
            "jpeg/orientation-6.jpg",
            "png/rgb-61x47.png",
            "png/palette-61x47.png",
            "png/gray16-61x47.png",
            "webp/lossy-61x47.webp",
            "webp/lossless-61x47.webp",
            "webp/alpha-61x47.webp",
            "gif/61x47.gif",
            "bmp/61x47.bmp",
            "tiff/lzw-61x47.tiff",
            "tiff/rgb16-37x29.tiff",
            "png/rgba16-37x29.png",
            "png/palette-alpha-37x29.png",
            "webp/animated-37x29.webp",
            "avif/420.avif",
            "avif/alpha.avif",
            "avif/10bit.avif",
            "avif/grid.avif",
            "heic/alpha.heic",
            "heic/10bit.heic",
            "heic/grid.heic");

    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void damagedFilesNeverDoMoreThanFail() {
        long seed = Long.getLong("jspdl.campaign.seed", 20_260_101);
        boolean timed = Boolean.getBoolean("campaign") || Integer.getInteger("jspdl.campaign.seconds") != null;
        Duration length = Duration.ofSeconds(Integer.getInteger("jspdl.campaign.seconds", 120));
        long most = timed ? Long.MAX_VALUE : INPUTS;
        ImageSpec spec = ImageSpec.shorterSide(40).centerCrop(48, 33).maxPixels(4_000_000);
        ImageSpec deepSpec = spec.channels(Channels.RGBA).elements(ElementType.UINT16);
        SplittableRandom random = new SplittableRandom(seed);
        long decoded = 0;
        long refused = 0;
        try (ImageDecoder fast = ImageDecoder.create(spec);
                ImageDecoder ffmpeg = ImageDecoder.create(spec, JpegBackend.FFMPEG);
                ImageDecoder lenient = ImageDecoder.create(spec.damage(Damage.KEPT));
                ImageDecoder deep = ImageDecoder.create(deepSpec)) {
            long end = System.nanoTime() + length.toNanos();
            for (long inputs = 0; inputs < most && (!timed || System.nanoTime() < end); inputs++) {
                byte[] input = mutate(TestFiles.bytes(FILES.get(random.nextInt(FILES.size()))), random);
                ImageDecoder decoder = switch (random.nextInt(4)) {
                    case 0 -> fast;
                    case 1 -> ffmpeg;
                    case 2 -> deep;
                    default -> lenient;
                };
                try (Arena arena = Arena.ofConfined()) {
                    GuardedRow row = new GuardedRow(decoder.spec().rowBytes(), arena);
                    try {
                        decoder.decodeInto(TestFiles.toNative(input, arena), row.segment());
                        decoded++;
                    } catch (DecodeException expected) {
                        refused++;
                    }
                    row.check();
                }
            }
        }
        System.out.printf("mutated images, seed %d: %,d decoded, %,d refused%n", seed, decoded, refused);
        assertThat(decoded).isPositive();
        assertThat(refused).isPositive();
    }

    private static byte[] mutate(byte[] file, SplittableRandom random) {
        int changes = 1 + random.nextInt(8);
        byte[] mutant = file;
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(mutant.length);
            int reach = Math.min(mutant.length - at, 1 + random.nextInt(40));
            switch (random.nextInt(6)) {
                case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutant[at] = (byte) random.nextInt(256);
                case 2 -> mutant[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
                case 3 ->
                    System.arraycopy(
                            file,
                            random.nextInt(file.length - Math.min(file.length - 1, reach)),
                            mutant,
                            at,
                            Math.min(reach, Math.min(mutant.length - at, file.length - 1)));
                case 4 -> mutant[Math.min(at, 60) % mutant.length] = (byte) random.nextInt(256); // headers are short
                default -> mutant = random.nextInt(4) == 0 ? java.util.Arrays.copyOf(mutant, at + 1) : mutant;
            }
        }
        return mutant;
    }
}
