package org.jspdl.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspdl.input.MediaException;
import org.jspdl.media.stream.Demuxer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.media.stream.Packet;
import org.jspdl.media.stream.StreamInfo;
import org.jspdl.media.stream.TestMedia;
import org.jspdl.media.stream.TimeWindow;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A container tells of a picture, and what it has there is none: that is refused, also where no other picture refers
/// to it. A window that does not need it is right.
class LostPicturesTest {
    private static final boolean CAMPAIGN = Boolean.getBoolean("campaign");

    private record Place(long position, int bytes, long pts) {}

    private static List<Place> packets(Path file) {
        List<Place> places = new ArrayList<>();
        try (Demuxer demuxer = Demuxer.open(MediaSource.of(file));
                Packet packet = Packet.create()) {
            demuxer.select(demuxer.info().require(StreamInfo.Kind.VIDEO));
            while (demuxer.read(packet)) {
                places.add(new Place(packet.position(), packet.byteSize(), packet.pts()));
            }
        }
        return places;
    }

    /// Units that decoders skip in the place of a picture's.
    private static byte[] without(byte[] file, Place picture, boolean isHevc) {
        byte[] changed = file.clone();
        int at = (int) picture.position();
        int end = at + picture.bytes();
        while (at < end) {
            int size = ((file[at] & 0xFF) << 24)
                    | ((file[at + 1] & 0xFF) << 16)
                    | ((file[at + 2] & 0xFF) << 8)
                    | (file[at + 3] & 0xFF);
            changed[at + 4] = (byte) (isHevc ? 38 << 1 : 12);
            at += 4 + size;
        }
        return changed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"groups-h264.mp4", "groups-hevc.mp4", "groups-h264-open.mp4", "groups-hevc-open.mp4"})
    void aPictureThatIsNotThereIsRefused(String name) throws Exception {
        Path path = TestMedia.file(name);
        byte[] file = Files.readAllBytes(path);
        List<Place> places = packets(path);
        long[] times = places.stream().mapToLong(Place::pts).sorted().toArray();
        try (Tensor whole = Video.load(path)) {
            for (int i = 0; i < places.size(); i += CAMPAIGN ? 1 : 7) {
                byte[] lacking = without(file, places.get(i), name.contains("hevc"));
                int lost = Arrays.binarySearch(times, places.get(i).pts());
                assertThatThrownBy(() -> Video.load(MediaSource.of(lacking), VideoSpec.original()))
                        .as("without frame %s", lost)
                        .isInstanceOf(MediaException.class)
                        .hasMessageContaining("Damage.SKIPPED");
                check(whole, lacking, TimeWindow.of(1, 2), 24, 48, lost);
                try (VideoDecoder decoder = VideoDecoder.create(VideoSpec.original());
                        BufferPool pool = BufferPool.create("test", 1 << 24)) {
                    assertThatThrownBy(() -> decoder.frames(MediaSource.of(lacking), new int[] {lost}, pool))
                            .isInstanceOf(MediaException.class);
                }
            }
        }
    }

    /// The frames from `first` to before `end` without the one that is `lost`, or a refusal.
    private static void check(Tensor whole, byte[] lacking, TimeWindow window, int first, int end, int lost) {
        int[] expected =
                IntStream.range(first, end).filter(frame -> frame != lost).toArray();
        try (Tensor shown =
                Video.load(MediaSource.of(lacking), VideoSpec.original().window(window))) {
            assertThat(shown.shape().extent(0)).isEqualTo(expected.length);
            for (int row = 0; row < expected.length; row++) {
                assertThat(shown.row(row).mismatch(whole.row(expected[row])))
                        .as("row %d without frame %d", row, lost)
                        .isEqualTo(-1);
            }
        } catch (MediaException refused) {
            assertThat(refused).hasMessageContaining("Damage.SKIPPED");
        }
    }
}
