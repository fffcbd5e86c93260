package org.jspdl.media.frame;

import java.util.Map;
import java.util.Optional;
import org.jspdl.media.internal.ffmpeg.AvParameters;

/// Plain samples of fewer bits than their bytes have, as extensible WAV formats may say of them.
///
/// FFmpeg takes the bytes that the bits need for those that a sample has, and reads noise, or floats where there are 16
/// or 24 bits in four bytes, as old files of one program have them, which can't be told from others.
final class PaddedSamples {
    /// WAVE_FORMAT_PCM.
    private static final int PLAIN = 1;
    private static final Map<String, Integer> BYTES =
            Map.of("pcm_u8", 1, "pcm_s16le", 2, "pcm_f16le", 2, "pcm_s24le", 3, "pcm_f24le", 3);

    private PaddedSamples() {}

    /// What is wrong with a stream of `codec`; empty if its samples are read right.
    static Optional<String> refusal(String codec, AvParameters parameters) {
        int taken = BYTES.getOrDefault(codec, 0);
        if (taken == 0 || parameters.tag() != PLAIN || parameters.channels() < 1) {
            return Optional.empty();
        }
        int bytes = parameters.blockBytes() / parameters.channels();
        return bytes <= taken
                ? Optional.empty()
                : Optional.of(
                        "its samples of " + bytes + " bytes have at most " + 8 * taken
                                + " bits, which FFmpeg reads as something else; AudioDecoder reads WAV as floats at the file's own rate without it, or convert the file");
    }
}
