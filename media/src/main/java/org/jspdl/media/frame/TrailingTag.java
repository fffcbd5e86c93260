package org.jspdl.media.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspdl.media.internal.ffmpeg.AvPacket;

/// Tags that writers of MP3 files put behind the sound, and that FFmpeg takes for packets: APEv2 with a cover, Lyrics3.
/// They are no sound that is damaged.
final class TrailingTag {
    private static final List<String> NAMES = List.of("APETAGEX", "LYRICSBEGIN", "LYRICS200");
    private static final String LAYERS = "mp[123](float)?";

    private TrailingTag() {}

    /// Whether a packet that could not be decoded has one, or the beginning of one.
    static boolean isIn(String codec, MemorySegment packet) {
        if (!codec.matches(LAYERS)) {
            return false;
        }
        byte[] bytes = AvPacket.data(packet).toArray(ValueLayout.JAVA_BYTE);
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return NAMES.stream().anyMatch(text::contains);
    }
}
