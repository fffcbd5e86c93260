package org.jspdl.media.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspdl.input.MediaException;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.audio.AudioSpec;
import org.jspdl.media.frame.DecodeOptions;
import org.jspdl.media.video.Video;
import org.jspdl.media.video.VideoDecoder;
import org.jspdl.media.video.VideoSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files with holes, as they come from a copy that was broken off and gone on with, or from a worn disk: zeros where
/// bytes were. Demuxers pass over what they make no sense of, and what is left is shorter; that is refused.
class BrokenContainersTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");
    private static final int HOLES = CAMPAIGN ? 300 : 8;
    private static final DecodeOptions LENIENT = DecodeOptions.standard().damage(DecodeOptions.Damage.SKIPPED);

    private record Place(int position, int bytes) {}

    static Stream<String> videos() {
        return Stream.concat(TestMedia.videos().stream(), TestMedia.groupedVideos().stream())
                .filter(name -> name.matches(".*[.](mkv|webm)"));
    }

    /// Without Vorbis in Matroska, of which a packet with another first byte is a packet of another length.
    static Stream<String> sounds() {
        return Stream.concat(TestMedia.sounds().stream(), TestMedia.longSounds().stream())
                .filter(name -> name.matches(".*[.](mkv|webm|ogg|opus|aac)") && !name.equals("long-vorbis.mkv"));
    }

    private static List<Place> packets(Path file, StreamInfo.Kind kind) {
        List<Place> places = new ArrayList<>();
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                Packet packet = Packet.create()) {
            demuxer.select(demuxer.info().require(kind));
            while (demuxer.read(packet)) {
                places.add(new Place((int) packet.position(), packet.byteSize()));
            }
        }
        return places;
    }

    private static byte[] withHole(byte[] file, int from, int to) {
        byte[] broken = file.clone();
        Arrays.fill(broken, from, Math.min(to, file.length), (byte) 0);
        return broken;
    }

    private static Tensor load(byte[] file, StreamInfo.Kind kind, DecodeOptions how) {
        MediaSource source = MediaSource.of(file);
        return kind == StreamInfo.Kind.VIDEO
                ? Video.load(source, VideoSpec.original().decoding(how))
                : Audio.load(source, AudioSpec.original().decoding(how));
    }

    private static Map<String, String> shorter(String name, StreamInfo.Kind kind) throws Exception {
        Path path = TestMedia.file(name);
        byte[] file = Files.readAllBytes(path);
        List<Place> packets = packets(path, kind);
        int begin = packets.getFirst().position() + packets.getFirst().bytes();
        SplittableRandom random = new SplittableRandom(name.hashCode());
        Map<String, String> wrong = new TreeMap<>();
        try (Tensor whole = load(file, kind, DecodeOptions.standard())) {
            for (int i = 0; i < HOLES; i++) {
                int from = random.nextInt(begin, file.length);
                int to = i == 0 ? file.length : from + (16 << random.nextInt(11));
                try (Tensor shown = load(withHole(file, from, to), kind, DecodeOptions.standard())) {
                    if (!shown.shape().equals(whole.shape())) {
                        wrong.put(
                                from + " to " + Math.min(to, file.length) + " of " + file.length,
                                shown.shape() + " of " + whole.shape());
                    }
                } catch (MediaException refused) {
                    // as it should be
                }
            }
        }
        return wrong;
    }

    @ParameterizedTest
    @MethodSource("videos")
    void aVideoWithAHoleIsRefusedOrAsLongAsTheWhole(String name) throws Exception {
        assertThat(shorter(name, StreamInfo.Kind.VIDEO)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("sounds")
    void aSoundWithAHoleIsRefusedOrAsLongAsTheWhole(String name) throws Exception {
        assertThat(shorter(name, StreamInfo.Kind.AUDIO)).isEmpty();
    }

    /// Players write their first pages into blocks of a fixed size, with whatever lies behind them.
    @Test
    void bytesBetweenPagesOfOggAreNoHole() throws Exception {
        byte[] file = Files.readAllBytes(TestMedia.file("long.ogg"));
        int second = indexOf(file, "OggS", 1);
        int third = indexOf(file, "OggS", second + 1);
        byte[] padded = Arrays.copyOf(file, file.length + 500);
        Arrays.fill(padded, third, third + 500, (byte) 7);
        System.arraycopy(file, third, padded, third + 500, file.length - third);
        try (Tensor expected = load(file, StreamInfo.Kind.AUDIO, DecodeOptions.standard());
                Tensor shown = load(padded, StreamInfo.Kind.AUDIO, DecodeOptions.standard())) {
            assertThat(shown.segment().mismatch(expected.segment())).isEqualTo(-1);
        }
        byte[] lacking = withHole(file, third, indexOf(file, "OggS", third + 1));
        byte[] cut = Arrays.copyOf(file, file.length - 1);
        for (byte[] broken : List.of(lacking, cut)) {
            assertThatThrownBy(() -> load(broken, StreamInfo.Kind.AUDIO, DecodeOptions.standard()))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("Damage.SKIPPED");
        }
    }

    private static int indexOf(byte[] file, String text, int from) {
        return new String(file, StandardCharsets.ISO_8859_1).indexOf(text, from);
    }

    /// Of bare sound, which has neither pages nor a table.
    @ParameterizedTest
    @ValueSource(strings = {"long-bare.mp3", "long-vbr.mp3", "long-cbr.mp3", "long.aac", "long.ac3"})
    void aPacketLessInBareSoundIsRefused(String name) throws Exception {
        Path path = TestMedia.file(name);
        byte[] file = Files.readAllBytes(path);
        List<Place> packets = packets(path, StreamInfo.Kind.AUDIO);
        for (int i = 4; i < packets.size() - 1; i += CAMPAIGN ? 1 : packets.size() / 12) {
            Place lost = packets.get(i);
            byte[] broken = withHole(file, lost.position(), lost.position() + lost.bytes());
            assertThatThrownBy(() -> load(broken, StreamInfo.Kind.AUDIO, DecodeOptions.standard()))
                    .as("packet %d", i)
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("Damage.SKIPPED");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"groups-vp9.webm", "groups-h264-open.mkv"})
    void whatIsBeforeAHoleIsDecodedAndTheRestIfDamageIsSkipped(String name) throws Exception {
        Path path = TestMedia.file(name);
        byte[] file = Files.readAllBytes(path);
        List<Place> packets = packets(path, StreamInfo.Kind.VIDEO);
        Place lost = packets.get(60);
        byte[] broken = withHole(file, lost.position() - 8, lost.position() + 8);
        VideoSpec before = VideoSpec.original().window(TimeWindow.of(0, 1));
        try (Tensor expected = Video.load(MediaSource.of(file), before);
                Tensor shown = Video.load(MediaSource.of(broken), before)) {
            assertThat(shown.segment().mismatch(expected.segment())).isEqualTo(-1);
        }
        assertThatThrownBy(() -> Video.load(MediaSource.of(broken), VideoSpec.original()))
                .isInstanceOf(MediaException.class)
                .hasMessageContaining("Damage.SKIPPED");
        try (Tensor shown = load(broken, StreamInfo.Kind.VIDEO, LENIENT)) {
            assertThat(shown.shape().extent(0)).isBetween(40L, 71L);
        }
        // Behind it, frames have other numbers.
        try (VideoDecoder decoder = VideoDecoder.create(VideoSpec.original());
                BufferPool pool = BufferPool.create("test", 1 << 24)) {
            assertThatThrownBy(() -> decoder.frames(MediaSource.of(broken), new int[] {3}, pool))
                    .isInstanceOf(MediaException.class)
                    .hasMessageContaining("other numbers");
        }
    }
}
