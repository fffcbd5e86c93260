package org.jspdl.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.archive.TarArchive;
import org.jspdl.archive.TarEnd;
import org.jspdl.archive.TarEntry;
import org.jspdl.archive.TarStream;
import org.jspdl.archive.TarWriter;
import org.jspdl.archive.TfRecordStream;
import org.jspdl.archive.TfRecords;
import org.jspdl.archive.ZipArchive;
import org.jspdl.array.ArrayView;
import org.jspdl.array.Npy;
import org.jspdl.array.Npz;
import org.jspdl.array.Safetensors;
import org.jspdl.fixtures.Bytes;
import org.jspdl.input.FormatException;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.wav.SampleLayout;
import org.jspdl.wav.Wav;
import org.jspdl.wav.WavWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A campaign against the parsers of arrays, archives and recordings: files with bytes changed, cut, repeated and
/// moved, from a printed seed.
///
/// Every input is either read or a [FormatException], and nothing takes more memory than the file justifies. Takes as
/// many inputs in every build; with `-Pcampaign` as many as 120 seconds allow, or as long as
/// `-Djspdl.campaign.seconds=N` says, with `-Djspdl.campaign.seed=N`.
@Tag("slow")
class MutatedFormatsTest {
    /// No parser may ask for more: the largest file has less than 10 KB, and deflate expands by 1,032 at most.
    private static final long LIMIT_BYTES = 16 << 20;

    /// In a build, whose outcome must not depend on how fast the machine is.
    private static final long MUTANTS = 12_000;

    private static final List<String> RESOURCES = List.of(
            "npy/f4-le-c.npy",
            "npy/i2-be-f.npy",
            "npy/c16-be-f.npy",
            "npy/version-2.npy",
            "npy/many-dimensions.npy",
            "npy/stored.npz",
            "npy/deflated.npz",
            "tfrecord/records.tfrecord");

    @TempDir
    Path folder;

    /// Reads a file as one format: everything that can be had of it.
    private interface Reading {
        void read(MemorySegment file, BufferPool pool) throws IOException;
    }

    private static final List<Reading> READINGS = List.of(
            (file, pool) -> Npy.view(file).toTensor(pool).close(),
            MutatedFormatsTest::npz,
            MutatedFormatsTest::tar,
            MutatedFormatsTest::tarStream,
            (file, pool) -> TfRecords.over(file).forEach(record -> {}),
            MutatedFormatsTest::tfRecordStream,
            (file, pool) -> {
                for (ArrayView array : Safetensors.over(file).arrays().values()) {
                    array.toTensor(pool).close();
                }
            },
            (file, pool) -> Wav.parse(file).toFloat(pool, SampleLayout.PLANAR).close());

    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void damagedFilesNeverDoMoreThanFail() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_121);
        boolean timed = Boolean.getBoolean("campaign") || Integer.getInteger("jspdl.campaign.seconds") != null;
        Duration length = Duration.ofSeconds(Integer.getInteger("jspdl.campaign.seconds", 120));
        long most = timed ? Long.MAX_VALUE : MUTANTS;
        SplittableRandom random = new SplittableRandom(seed);
        List<byte[]> corpus = corpus();
        long read = 0;
        long refused = 0;
        long end = System.nanoTime() + length.toNanos();
        try (BufferPool pool = BufferPool.create("mutants", LIMIT_BYTES)) {
            for (long mutants = 0; mutants < most && (!timed || System.nanoTime() < end); mutants++) {
                MemorySegment mutant =
                        MemorySegment.ofArray(mutate(corpus.get(random.nextInt(corpus.size())), corpus, random));
                for (Reading reading : READINGS) {
                    try {
                        reading.read(mutant, pool);
                        read++;
                    } catch (FormatException expected) {
                        refused++;
                    } catch (RuntimeException | IOException | Error unexpected) {
                        Path kept = Files.write(Files.createTempFile("jspdl-mutant", ".bin"), Bytes.of(mutant));
                        throw new AssertionError("seed " + seed + ", see " + kept, unexpected);
                    }
                }
            }
            assertThat(pool.outstanding()).isZero();
        }
        System.out.printf("mutated arrays and archives, seed %d: %,d read, %,d refused%n", seed, read, refused);
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }

    private static void npz(MemorySegment file, BufferPool pool) {
        Npz npz = Npz.over(file);
        for (String name : npz.names()) {
            npz.load(name, pool).close();
            if (npz.isStored(name)) {
                npz.view(name);
            }
        }
        ZipArchive.over(file)
                .members()
                .values()
                .forEach(member -> assertThat(member.name()).isNotNull());
    }

    private static void tar(MemorySegment file, BufferPool pool) {
        TarArchive archive = TarArchive.over(file, TarEnd.OPTIONAL);
        for (TarEntry entry : archive) {
            assertThat(archive.data(entry).byteSize()).isEqualTo(entry.byteSize());
            assertThat(entry.name().length()
                            + entry.linkName().length()
                            + entry.records().size())
                    .isNotNegative();
            entry.modified();
            entry.mode();
        }
    }

    private static void tarStream(MemorySegment file, BufferPool pool) throws IOException {
        try (TarStream stream =
                TarStream.over(Channels.newChannel(new ByteArrayInputStream(Bytes.of(file))), 0, TarEnd.REQUIRED)) {
            while (stream.advance()) {
                stream.read(MemorySegment.ofArray(new byte[(int) Math.min(stream.remaining(), 100)]));
            }
        }
    }

    private static void tfRecordStream(MemorySegment file, BufferPool pool) throws IOException {
        try (TfRecordStream stream =
                TfRecordStream.over(Channels.newChannel(new ByteArrayInputStream(Bytes.of(file))), 0)) {
            while (stream.advance()) {
                if (stream.byteSize() < 10_000) {
                    stream.read(MemorySegment.ofArray(new byte[(int) stream.byteSize()]));
                }
            }
        }
    }

    private List<byte[]> corpus() throws IOException {
        List<byte[]> corpus = new ArrayList<>();
        for (String name : RESOURCES) {
            corpus.add(Bytes.of(Bytes.resource(name)));
        }
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        try (TarWriter writer = TarWriter.over(Channels.newChannel(tar))) {
            writer.add("a", Bytes.random(600, 1));
            writer.add("long/".repeat(60) + "name", Bytes.random(10, 2));
        }
        corpus.add(tar.toByteArray());
        Path wav = folder.resolve("a.wav");
        WavWriter.write(wav, ArrayView.of(ElementType.INT16, Shape.of(200, 2), Bytes.random(800, 3)), 8000);
        corpus.add(Files.readAllBytes(wav));
        String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}";
        MemorySegment length = MemorySegment.ofArray(new byte[8]);
        length.set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) header.length());
        corpus.add(Bytes.of(Bytes.joined(
                length,
                MemorySegment.ofArray(header.getBytes(java.nio.charset.StandardCharsets.US_ASCII)),
                Bytes.random(24, 4))));
        return corpus;
    }

    private static byte[] mutate(byte[] file, List<byte[]> corpus, SplittableRandom random) {
        byte[] mutant = file.clone();
        for (int changes = random.nextInt(6); changes >= 0; changes--) {
            // Most of what can go wrong is in the first or last hundred bytes.
            int at = switch (random.nextInt(3)) {
                case 0 -> random.nextInt(Math.min(mutant.length, 128));
                case 1 -> mutant.length - 1 - random.nextInt(Math.min(mutant.length, 128));
                default -> random.nextInt(mutant.length);
            };
            int reach = Math.min(mutant.length - at, 1 + random.nextInt(40));
            switch (random.nextInt(7)) {
                case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> mutant[at] = (byte) random.nextInt(256);
                case 2 -> mutant[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
                case 3 -> mutant[at] = (byte) "0123456789,()'{}[] \n".charAt(random.nextInt(20));
                case 4 -> {
                    byte[] other = corpus.get(random.nextInt(corpus.size()));
                    int from = random.nextInt(other.length);
                    System.arraycopy(other, from, mutant, at, Math.min(reach, other.length - from));
                }
                case 5 -> java.util.Arrays.fill(mutant, at, at + reach, (byte) (random.nextBoolean() ? 0xFF : 0));
                default -> mutant = random.nextInt(4) == 0 ? java.util.Arrays.copyOf(mutant, at + 1) : mutant;
            }
        }
        return random.nextInt(8) == 0 ? resealed(mutant) : mutant;
    }

    /// With the checksum of the first TAR header set right, so that what it guards is reached.
    private static byte[] resealed(byte[] mutant) {
        if (mutant.length < 512) {
            return mutant;
        }
        java.util.Arrays.fill(mutant, 148, 156, (byte) ' ');
        int sum = 0;
        for (int i = 0; i < 512; i++) {
            sum += mutant[i] & 0xFF;
        }
        byte[] digits = String.format("%06o\0", sum).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, mutant, 148, 7);
        return mutant;
    }
}
