package org.jspdl.media.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.AudioDecoder;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;

/// Damaged files by decoders that have decoded others before, and by fresh ones.
class DecoderCacheTest {
    private static final DecodeOptions SKIPPED = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);

    /// Its frames use bits and scale factors of frames that are missing.
    @Test
    void anMp3FileThatBeginsInTheMiddleHasNothingOfTheFileBefore() throws IOException {
        byte[] whole = Files.readAllBytes(TestMedia.file("a.mp3"));
        AudioSpec spec = AudioSpec.original().decoding(SKIPPED);
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                AudioDecoder used = AudioDecoder.create(spec)) {
            for (int cut = 600; cut < whole.length / 2; cut += 150) {
                byte[] file = Arrays.copyOfRange(whole, cut, whole.length);
                sound(used, whole, pool);
                int afterAnother = sound(used, file, pool);
                try (AudioDecoder fresh = AudioDecoder.create(spec)) {
                    assertThat(afterAnother).as("cut at %d", cut).isEqualTo(sound(fresh, file, pool));
                }
            }
            assertThat(pool.outstanding()).isZero();
        }
    }

    private static int sound(AudioDecoder decoder, byte[] file, BufferPool pool) {
        try (Tensor tensor = decoder.decode(MediaSource.of(file), pool)) {
            return Arrays.hashCode(tensor.segment().toArray(ValueLayout.JAVA_BYTE));
        } catch (MediaException refused) {
            return 0;
        }
    }

    /// FFmpeg does not say that slices are missing.
    @Test
    void aDamagedHevcFileHasNothingOfTheFileBefore() throws IOException {
        byte[] whole = Files.readAllBytes(TestMedia.file("hevc.mp4"));
        VideoSpec spec = VideoSpec.original();
        SplittableRandom random = new SplittableRandom(4);
        try (BufferPool pool = BufferPool.create("test", 1 << 26);
                VideoDecoder used = VideoDecoder.create(spec)) {
            for (int i = 0; i < 60; i++) {
                byte[] file = whole.clone();
                for (int k = 0; k < 3; k++) {
                    file[random.nextInt(file.length)] = (byte) random.nextInt(256);
                }
                pictures(used, whole, pool);
                int afterAnother = pictures(used, file, pool);
                try (VideoDecoder fresh = VideoDecoder.create(spec)) {
                    assertThat(afterAnother).as("file %d", i).isEqualTo(pictures(fresh, file, pool));
                }
            }
        }
    }

    private static int pictures(VideoDecoder decoder, byte[] file, BufferPool pool) {
        try (Tensor tensor = decoder.decode(MediaSource.of(file), pool)) {
            return Arrays.hashCode(tensor.segment().toArray(ValueLayout.JAVA_BYTE));
        } catch (MediaException refused) {
            return 0;
        }
    }
}
