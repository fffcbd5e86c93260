package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspdl.input.MediaException;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.image.Layout;
import org.jspdl.media.image.Normalization;
import org.jspdl.media.image.Quality;
import org.jspdl.media.internal.codec.FailingHelper;
import org.jspdl.media.internal.isolation.MediaIsolation;
import org.jspdl.media.internal.isolation.Outcomes;
import org.jspdl.media.stream.MediaLimits;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Shape;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VideoIsolationTest {
    private static final int WORKERS = 2;
    private static final int SIDE = 16;
    private static final ImageSpec SMALL =
            ImageSpec.randomResizedCrop(32, 24).randomFlip(0.5).layout(Layout.NCHW);

    @TempDir
    Path folder;

    @Test
    void aHelperMakesTheSamePixelsAndRefusesTheSameFiles() throws IOException {
        DecodeOptions lenient = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);
        ImageSpec floats = SMALL.elements(ElementType.FLOAT16)
                .normalization(Normalization.imageNet())
                .channels(Channels.BGR);
        for (VideoSpec spec : List.of(
                VideoSpec.original(),
                VideoSpec.of(floats).frameRate(10).frames(7).channelsOutermost(),
                VideoSpec.of(ImageSpec.exact(40, 30).quality(Quality.EXACT))
                        .window(TimeWindow.of(0.3, 0.9))
                        .decoding(lenient))) {
            try (VideoDecoder here = VideoDecoder.create(spec, Isolation.none());
                    VideoDecoder isolated = VideoDecoder.create(spec, Isolation.all());
                    BufferPool pool = BufferPool.unbounded("clips")) {
                for (String name : TestMedia.videos()) {
                    byte[] file = Files.readAllBytes(TestMedia.file(name));
                    for (int length : new int[] {file.length, file.length * 2 / 3, 20}) {
                        compare(Arrays.copyOf(file, length), name + " of " + length + " bytes", here, isolated, pool);
                    }
                }
                assertThat(isolated.isolation().crashes()).isZero();
                assertThat(isolated.isolation().started()).isPositive();
                assertThat(here.isolation().started()).isZero();
                assertThat(pool.outstanding()).isZero();
            }
        }
    }

    private static void compare(byte[] file, String name, VideoDecoder here, VideoDecoder isolated, BufferPool pool) {
        for (int i = 0; i < Outcomes.sources(file).size(); i++) {
            MediaSource mine = Outcomes.sources(file).get(i);
            MediaSource theirs = Outcomes.sources(file).get(i);
            SplittableRandom chance = new SplittableRandom(i);
            SplittableRandom same = chance.split();
            SplittableRandom again = new SplittableRandom(i).split();
            assertThat(Outcomes.of(() -> isolated.decode(theirs, pool, same)))
                    .as("%s as %s from %s", name, here.spec(), mine)
                    .isEqualTo(Outcomes.of(() -> here.decode(mine, pool, again)));
            assertThat(same.nextLong()).isEqualTo(again.nextLong());
        }
    }

    @Test
    void aHelperTakesTheSameFramesAndClips() throws IOException {
        VideoSpec spec = VideoSpec.of(SMALL);
        try (VideoDecoder here = VideoDecoder.create(spec, Isolation.none());
                VideoDecoder isolated = VideoDecoder.create(spec, Isolation.all());
                BufferPool pool = BufferPool.unbounded("clips")) {
            for (String name : TestMedia.groupedVideos()) {
                byte[] file = Files.readAllBytes(TestMedia.file(name));
                for (MediaSource source : Outcomes.sources(file).subList(0, 2)) {
                    assertThat(frames(isolated, source, pool)).as(name).isEqualTo(frames(here, source, pool));
                    assertThat(clips(isolated, source, pool)).as(name).isEqualTo(clips(here, source, pool));
                }
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static List<?> frames(VideoDecoder decoder, MediaSource source, BufferPool pool) {
        List<Object> all = new ArrayList<>();
        try {
            FrameIndex index = decoder.index(source);
            all.add(index);
            int last = index.frames() - 1;
            for (int[] indices : List.of(new int[] {5, 2, 2, last}, new int[] {last + 1}, new int[0])) {
                all.add(Outcomes.of(() -> decoder.frames(source, index, indices, pool, new SplittableRandom(3))));
                all.add(Outcomes.of(() -> decoder.frames(source, indices, pool)));
            }
        } catch (MediaException refused) {
            all.add(String.valueOf(refused.getMessage()));
        }
        return all;
    }

    private static List<?> clips(VideoDecoder decoder, MediaSource source, BufferPool pool) {
        try {
            List<Tensor> clips = decoder.clips(
                    source, index -> FrameSampling.randomClips(index.frames(), 3, 4, 2, new SplittableRandom(9)), pool);
            List<?> outcomes = clips.stream().map(Outcomes::of).toList();
            clips.forEach(Tensor::close);
            return outcomes;
        } catch (MediaException refused) {
            return List.of(String.valueOf(refused.getMessage()));
        }
    }

    @Test
    void whatTheProgramThrowsIsThrownAndTheHelperIsUsedAgain() {
        VideoSpec jittered = VideoSpec.of(ImageSpec.exact(8, 8).colorJitter(0.5, 0.5, 0.5, 0));
        MediaSource source = MediaSource.of(TestMedia.file("h264.mp4"));
        MediaSource lost = MediaSource.of(
                new MediaSource.RangeReader() {
                    @Override
                    public long byteSize() {
                        return 10_000;
                    }

                    @Override
                    public int read(long position, MemorySegment into) throws IOException {
                        throw new IOException("the store is gone");
                    }
                },
                "store");
        try (VideoDecoder here = VideoDecoder.create(jittered, Isolation.none());
                VideoDecoder isolated = VideoDecoder.create(jittered, Isolation.all());
                BufferPool pool = BufferPool.unbounded("clips")) {
            for (VideoDecoder each : List.of(here, isolated)) {
                assertThatThrownBy(() -> each.decode(source, pool, new SplittableRandom(1)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("can't be changed at random");
                assertThatThrownBy(() -> each.clips(
                                source,
                                _ -> {
                                    throw new UnsupportedOperationException("no choice");
                                },
                                pool))
                        .isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> each.decode(lost, pool))
                        .isInstanceOf(MediaException.class)
                        .hasMessage("store: cannot be read: the store is gone")
                        .cause()
                        .isInstanceOf(IOException.class);
                each.decode(source, pool).close();
            }
            assertThat(isolated.isolation().crashes()).isZero();
        }
    }

    @Test
    void limitsHoldInTheHelper() {
        VideoSpec spec = VideoSpec.original()
                .decoding(DecodeOptions.standard().limits(MediaLimits.standard().maxBytes(100_000)));
        try (VideoDecoder here = VideoDecoder.create(spec, Isolation.none());
                VideoDecoder isolated = VideoDecoder.create(spec, Isolation.all());
                BufferPool pool = BufferPool.unbounded("clips")) {
            MediaSource source = MediaSource.of(TestMedia.file("h264.mp4"));

            assertThat(Outcomes.of(() -> isolated.decode(source, pool)))
                    .isEqualTo(Outcomes.of(() -> here.decode(source, pool)))
                    .asString()
                    .contains("more than the limit");
        }
    }

    @Test
    void aCrashAndAnEndlessLoopAreFailuresOfTheirVideos() throws Exception {
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
        VideoSpec spec = VideoSpec.of(ImageSpec.original().channels(Channels.GRAY));
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        AtomicInteger next = new AtomicInteger();
        MediaIsolation isolation =
                new MediaIsolation(FailingHelper.isolation(deadline, folder, FailingVideoHelper::command), "video");
        try (VideoDecoder decoder = VideoDecoder.create(spec, isolation);
                BufferPool pool = BufferPool.unbounded("clips")) {
            List<Thread> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                workers.add(Thread.ofPlatform().start(() -> {
                    for (int index = next.getAndIncrement(); index < files; index = next.getAndIncrement()) {
                        byte[] file = video(index);
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

    private static int frames(int index) {
        return 1 + index % 3;
    }

    private static byte level(int index, int frame) {
        return (byte) (index * 7 + frame * 31);
    }

    private static String outcome(VideoDecoder decoder, byte[] file, int index, BufferPool pool) {
        try (Tensor clip = decoder.decode(MediaSource.of(file), pool)) {
            if (!clip.shape().equals(Shape.of(frames(index), SIDE, SIDE, 1))) {
                return "of shape " + clip.shape();
            }
            byte[] pixels = clip.segment().toArray(ValueLayout.JAVA_BYTE);
            for (int i = 0; i < pixels.length; i++) {
                if (pixels[i] != level(index, i / (SIDE * SIDE))) {
                    return "wrong at pixel " + i;
                }
            }
            return "DECODED";
        } catch (MediaException refused) {
            String text = String.valueOf(refused.getMessage());
            return text.contains("crashed") ? "CRASH" : text.contains("was not done after ") ? "ENDLESS" : text;
        }
    }

    /// A video of gray frames, which its number tells.
    private static byte[] video(int index) {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        String header = "YUV4MPEG2 W" + SIDE + " H" + SIDE + " F25:1 Ip A1:1 Cmono XNUMBER=" + index + "\n";
        file.writeBytes(header.getBytes(StandardCharsets.US_ASCII));
        for (int frame = 0; frame < frames(index); frame++) {
            file.writeBytes("FRAME\n".getBytes(StandardCharsets.US_ASCII));
            byte[] gray = new byte[SIDE * SIDE];
            Arrays.fill(gray, level(index, frame));
            file.writeBytes(gray);
        }
        return file.toByteArray();
    }

    @Test
    void aVideoThatTheLastProcessDiedOfIsDecodedInAHelper() throws IOException {
        VideoSpec spec = VideoSpec.of(ImageSpec.exact(20, 20));
        Path file = TestMedia.file("h264.mp4");
        FailingHelper.suspect(folder, MemorySegment.ofArray(Files.readAllBytes(file)));
        MediaIsolation isolation = new MediaIsolation(FailingHelper.ofSuspects(folder, VideoHelper::command), "video");
        try (VideoDecoder decoder = VideoDecoder.create(spec, isolation);
                BufferPool pool = BufferPool.unbounded("clips")) {
            decoder.decode(MediaSource.of(TestMedia.file("h264.mkv")), pool).close();
            assertThat(decoder.isolation().started()).isZero();

            assertThat(Outcomes.of(() -> decoder.decode(MediaSource.of(file), pool)))
                    .isEqualTo(Outcomes.of(() -> Video.load(file, spec)));
            assertThat(decoder.isolation().started()).isPositive();
        }
    }
}
