package org.jspdl.media.audio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.internal.codec.FailingHelper;
import org.jspdl.media.internal.isolation.FailingWork;
import org.jspdl.media.internal.isolation.MediaIsolation;
import org.jspdl.media.internal.isolation.Outcomes;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.SampleLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AudioIsolationTest {
    private static final int WAV_HEADER = 44;
    private static final int WORKERS = 2;

    @TempDir
    Path folder;

    @Test
    void aHelperMakesTheSameSamplesAndRefusesTheSameFiles() throws IOException {
        AudioSpec original = AudioSpec.original();
        DecodeOptions lenient = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);
        for (AudioSpec spec : List.of(
                original,
                original.sampleRateHz(16_000).channels(1).elements(ElementType.INT16),
                original.window(TimeWindow.of(0.4, 1.1)).layout(SampleLayout.INTERLEAVED),
                original.samples(30_000).decoding(lenient).elements(ElementType.FLOAT64))) {
            try (AudioDecoder here = AudioDecoder.create(spec, Isolation.none());
                    AudioDecoder isolated = AudioDecoder.create(spec, Isolation.all());
                    BufferPool pool = BufferPool.unbounded("sounds")) {
                for (String name : TestMedia.sounds()) {
                    byte[] file = Files.readAllBytes(TestMedia.file(name));
                    for (int length : new int[] {file.length, file.length * 9 / 10, file.length / 2, 20}) {
                        byte[] part = Arrays.copyOf(file, length);
                        for (int i = 0; i < Outcomes.sources(part).size(); i++) {
                            // a stream is read once
                            MediaSource mine = Outcomes.sources(part).get(i);
                            MediaSource theirs = Outcomes.sources(part).get(i);
                            assertThat(Outcomes.of(() -> isolated.decode(theirs, pool)))
                                    .as("%s, %d of %d bytes, as %s, from %s", name, length, file.length, spec, mine)
                                    .isEqualTo(Outcomes.of(() -> here.decode(mine, pool)));
                        }
                    }
                }
                assertThat(isolated.isolation().crashes()).isZero();
                assertThat(isolated.isolation().started()).isPositive();
                assertThat(here.isolation().started()).isZero();
                assertThat(pool.outstanding()).isZero();
            }
        }
    }

    @Test
    void aHelperFillsTheSameRow() {
        AudioSpec spec = AudioSpec.original().sampleRateHz(22_050).channels(2).samples(40_000);
        try (AudioDecoder here = AudioDecoder.create(spec, Isolation.none());
                AudioDecoder isolated = AudioDecoder.create(spec, Isolation.all());
                Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(Tensor.byteSize(spec.elements(), spec.rowShape()));
            MemorySegment theirs = arena.allocate(mine.byteSize());
            for (String name : TestMedia.sounds()) {
                MediaSource file = MediaSource.of(TestMedia.file(name));
                mine.fill((byte) 1);
                theirs.fill((byte) 2);

                assertThat(isolated.decodeInto(file, theirs)).isEqualTo(here.decodeInto(file, mine));
                assertThat(theirs.mismatch(mine)).as(name).isEqualTo(-1);
            }
        }
    }

    @Test
    void aHelperFillsLargeRowsInMemoryOfThatSizeThatIsUsedAgain() {
        AudioSpec spec = AudioSpec.original().channels(1).samples(5_000_000);
        MediaSource file = MediaSource.of(TestMedia.file("a.ogg"));
        try (AudioDecoder here = AudioDecoder.create(spec, Isolation.none());
                AudioDecoder isolated = AudioDecoder.create(spec, Isolation.all());
                Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(Tensor.byteSize(spec.elements(), spec.rowShape()));
            MemorySegment theirs = arena.allocate(mine.byteSize());
            here.decodeInto(file, mine);
            for (int i = 0; i < 3; i++) {
                theirs.fill((byte) 2);
                isolated.decodeInto(file, theirs);
                assertThat(theirs.mismatch(mine)).isEqualTo(-1);
            }
        }
    }

    @Test
    void aLongFileIsReadInPiecesAndLimitsHoldInTheHelper() {
        Path file = TestMedia.file("long.flac");
        AudioSpec all = AudioSpec.original().elements(ElementType.INT32);
        AudioSpec limited = all.decoding(
                DecodeOptions.standard().limits(MediaLimits.standard().maxBytes(1_000)));
        try (AudioDecoder isolated = AudioDecoder.create(all, Isolation.all());
                AudioDecoder small = AudioDecoder.create(limited, Isolation.all());
                BufferPool pool = BufferPool.unbounded("sounds")) {
            assertThat(Outcomes.of(() -> isolated.decode(MediaSource.of(file), pool)))
                    .isEqualTo(Outcomes.of(() -> Audio.load(file, all)));
            assertThatThrownBy(() -> small.decode(MediaSource.of(file), pool))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("the limit");
        }
    }

    @Test
    void aCrashAndAnEndlessLoopAreFailuresOfTheirSounds() throws Exception {
        int files = Integer.getInteger("jspdl.campaign.files", Boolean.getBoolean("campaign") ? 10_000 : 250);
        List<String> wrong;
        // On a busy machine a helper may have no processor for half a second, and more.
        Duration deadline = Duration.ofMillis(500);
        do {
            wrong = decodeAll(files, deadline);
            deadline = deadline.multipliedBy(4);
        } while (deadline.compareTo(Duration.ofMinutes(1)) < 0
                && wrong.stream().anyMatch(each -> each.endsWith("DECODED but was ENDLESS")));

        assertThat(wrong).isEmpty();
        assertThat(folder.getParent()).isDirectoryNotContaining("glob:**/{core,core.*,hs_err*}");
    }

    private List<String> decodeAll(int files, Duration deadline) throws InterruptedException {
        AudioSpec spec = AudioSpec.original().elements(ElementType.INT16);
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        MediaIsolation isolation =
                new MediaIsolation(FailingHelper.isolation(deadline, folder, FailingAudioHelper::command), "sound");
        try (AudioDecoder decoder = AudioDecoder.create(spec, isolation);
                BufferPool pool = BufferPool.unbounded("sounds")) {
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(Thread.ofPlatform().start(() -> {
                    for (int index = next.getAndIncrement(); index < files; index = next.getAndIncrement()) {
                        byte[] file = sound(index);
                        String fate =
                                FailingHelper.of(MemorySegment.ofArray(file)).name();
                        String was = outcome(decoder, file, index, pool);
                        if (!was.equals(fate)) {
                            wrong.add(index + " should be " + fate + " but was " + was);
                        }
                    }
                }));
            }
            for (Thread worker : workers) {
                worker.join();
            }
            System.out.println(decoder.isolation());
            assertThat(decoder.isolation().crashes()).isPositive();
            assertThat(decoder.isolation().overruns()).isPositive();
            assertThat(pool.outstanding()).isZero();
        }
        return List.copyOf(wrong);
    }

    private static String outcome(AudioDecoder decoder, byte[] file, int index, BufferPool pool) {
        try (Tensor sound = decoder.decode(MediaSource.of(file), pool)) {
            for (short sample : sound.segment().toArray(ValueLayout.JAVA_SHORT)) {
                if (sample != (short) index) {
                    return "a sample of " + sample;
                }
            }
            return sound.shape().extent(1) == samples(file) ? "DECODED" : "of shape " + sound.shape();
        } catch (MediaException refused) {
            String text = String.valueOf(refused.getMessage());
            return text.contains("crashed") ? "CRASH" : text.contains("was not done after ") ? "ENDLESS" : text;
        }
    }

    private static long samples(byte[] file) {
        return (file.length - WAV_HEADER) / 2L;
    }

    /// A WAV file with one value, its number.
    private static byte[] sound(int index) {
        return sound(index, 2 * (1_000 + index % 500));
    }

    private static byte[] sound(int index, int bytes) {
        ByteBuffer file = ByteBuffer.allocate(WAV_HEADER + bytes).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(WAV_HEADER - 8 + bytes);
        file.put("WAVEfmt ".getBytes(StandardCharsets.US_ASCII)).putInt(16);
        file.putShort((short) 1).putShort((short) 1).putInt(8_000).putInt(16_000);
        file.putShort((short) 2).putShort((short) 16);
        file.put("data".getBytes(StandardCharsets.US_ASCII)).putInt(bytes);
        while (file.hasRemaining()) {
            file.putShort((short) index);
        }
        return file.array();
    }

    @Test
    void aSoundThatTheLastProcessDiedOfIsDecodedInAHelper() throws IOException {
        AudioSpec spec = AudioSpec.original().elements(ElementType.INT16);
        Path file = TestMedia.file("a.mp3");
        FailingHelper.suspect(folder, MemorySegment.ofArray(Files.readAllBytes(file)));
        MediaIsolation isolation = new MediaIsolation(FailingHelper.ofSuspects(folder, AudioHelper::command), "sound");
        try (AudioDecoder decoder = AudioDecoder.create(spec, isolation);
                BufferPool pool = BufferPool.unbounded("sounds")) {
            decoder.decode(MediaSource.of(TestMedia.file("a.ogg")), pool).close();
            assertThat(decoder.isolation().started()).isZero();

            assertThat(Outcomes.of(() -> decoder.decode(MediaSource.of(file), pool)))
                    .isEqualTo(Outcomes.of(() -> Audio.load(file, spec)));
            assertThat(decoder.isolation().started()).isPositive();
        }
    }

    @Test
    void aSoundIsNotToBlameForAHelperThatWasToldToEnd() {
        MemorySegment told = MemorySegment.ofArray(sound(0));
        MemorySegment crashing = MemorySegment.ofArray(sound(crashing()));
        MediaIsolation isolation = new MediaIsolation(
                FailingHelper.isolation(Duration.ofSeconds(30), folder, FailingAudioHelper::command), "sound");
        try (AudioDecoder decoder = AudioDecoder.create(AudioSpec.original().elements(ElementType.INT16), isolation);
                BufferPool pool = BufferPool.unbounded("sounds")) {
            assertThatThrownBy(() -> decoder.decode(MediaSource.of(told, FailingWork.TOLD_TO_END), pool))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("was told to end");
            assertThatThrownBy(() -> decoder.decode(MediaSource.of(crashing, "crashing"), pool))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("crashed");
        }
        assertThat(FailingHelper.isSuspect(folder, told)).isFalse();
        assertThat(FailingHelper.isSuspect(folder, crashing)).isTrue();
    }

    private static int crashing() {
        return IntStream.iterate(0, index -> index + 1)
                .filter(index -> FailingHelper.of(MemorySegment.ofArray(sound(index))) == FailingHelper.Fate.CRASH)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void soundsThatAreKeptStayAsTheyWereWhateverTheHelperDoesNext() {
        Path file = TestMedia.file("long.flac");
        List<?> expected = Outcomes.of(() -> Audio.load(file, AudioSpec.original()));
        List<Tensor> kept = new ArrayList<>();
        try (BufferPool pool = BufferPool.unbounded("sounds")) {
            try (AudioDecoder decoder = AudioDecoder.create(AudioSpec.original(), Isolation.all())) {
                for (int i = 0; i < 40; i++) {
                    kept.add(decoder.decode(MediaSource.of(file), pool));
                    if (i % 3 == 2) {
                        kept.remove(i / 3).close();
                    }
                    decoder.decode(MediaSource.of(TestMedia.file("a.ogg")), pool)
                            .close();
                }
                assertThat(decoder.isolation().crashes()).isZero();
            }
            assertThat(kept).allSatisfy(sound -> assertThat(Outcomes.of(sound)).isEqualTo(expected));
            assertThat(pool.outstanding()).isEqualTo(kept.size());
            assertThat(pool.leasedBytes())
                    .isEqualTo(kept.stream()
                            .mapToLong(sound -> sound.segment().byteSize())
                            .sum());
            kept.forEach(Tensor::close);
            assertThat(pool.outstanding()).isZero();
        }
    }

    @Test
    void aHelperThatWritesToWhatItDeliveredCrashesInsteadOfChangingIt() {
        MemorySegment sound = MemorySegment.ofArray(harmless(200_000));
        MediaIsolation isolation = new MediaIsolation(
                FailingHelper.isolation(Duration.ofSeconds(30), folder, FailingAudioHelper::command), "sound");
        try (AudioDecoder decoder = AudioDecoder.create(AudioSpec.original().elements(ElementType.INT16), isolation);
                BufferPool pool = BufferPool.unbounded("sounds")) {
            List<?> expected = Outcomes.of(() -> decoder.decode(MediaSource.of(sound, "first"), pool));
            // nothing is kept: it writes to what is free
            assertThat(Outcomes.of(() -> decoder.decode(MediaSource.of(sound, FailingWork.OVERWRITING), pool)))
                    .isEqualTo(expected);
            try (Tensor kept = decoder.decode(MediaSource.of(sound, "kept"), pool)) {
                assertThatThrownBy(() -> decoder.decode(MediaSource.of(sound, FailingWork.OVERWRITING), pool))
                        .isInstanceOf(MediaException.class)
                        .hasMessageContaining("crashed");
                assertThat(Outcomes.of(kept)).isEqualTo(expected);
            }
        }
    }

    /// A sound over which no helper fails of itself.
    private static byte[] harmless(int samples) {
        return IntStream.iterate(0, number -> number + 1)
                .mapToObj(number -> sound(number, 2 * samples))
                .filter(file -> FailingHelper.of(MemorySegment.ofArray(file)) == FailingHelper.Fate.DECODED)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theProcessesEndWithTheDecoder() throws Exception {
        List<ProcessHandle> helpers;
        try (AudioDecoder decoder = AudioDecoder.create(AudioSpec.original(), Isolation.all());
                BufferPool pool = BufferPool.unbounded("sounds")) {
            decoder.decode(MediaSource.of(TestMedia.file("a.mp3")), pool).close();
            helpers = ProcessHandle.current().children().toList();
            assertThat(helpers).isNotEmpty();
        }
        for (ProcessHandle helper : helpers) {
            helper.onExit().get();
        }
    }
}
