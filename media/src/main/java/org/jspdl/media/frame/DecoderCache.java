package org.jspdl.media.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspdl.input.MediaException;
import org.jspdl.media.stream.StreamInfo;

/// Decoders kept open between files: opening one costs as much as decoding some frames, and files of one data set
/// mostly have the same parameters.
///
/// A decoder is reused only for a stream whose parameters and codec header are the same, byte for byte, never after a
/// failure or a packet that was left out, and never if it makes noise that goes on from one stream to the next: what
/// comes out doesn't depend on what was decoded before. Owned by whoever made it, who closes it; used by one thread at
/// a time.
public final class DecoderCache implements AutoCloseable {
    private static final int MOST_IDLE = 4;
    /// Decoders of sound that begin anew when they are told to. That of AAC, among others, has random numbers that
    /// go on, and that of MP3 uses scale factors of the file before if a file begins in the middle of a sound.
    private static final Set<String> BEGIN_ANEW = Set.of("flac", "alac", "vorbis", "opus");
    /// Decoders of video that do not: that of HEVC keeps what it knows of blocks, which it uses where slices are
    /// missing, and does not say that they are.
    private static final Set<String> GO_ON = Set.of("hevc");

    private final DecodeOptions options;
    private final List<Decoder> idle = new ArrayList<>();

    /// A cache of decoders with these options.
    public DecoderCache(DecodeOptions options) {
        this.options = options;
    }

    /// A decoder for `stream`, to be given to [#release], or closed after a failure.
    ///
    /// @throws MediaException if there is none for the codec
    public Decoder borrow(StreamInfo stream) {
        for (int i = idle.size() - 1; i >= 0; i--) {
            Decoder decoder = idle.get(i);
            if (decoder.stream().parameters().equals(stream.parameters())
                    && decoder.stream().timeBase().equals(stream.timeBase())) {
                idle.remove(i);
                decoder.reset(stream);
                return decoder;
            }
        }
        return Decoder.open(stream, options);
    }

    /// Keeps a decoder for later.
    public void release(Decoder decoder) {
        if (!canBeginAnew(decoder)) {
            decoder.close();
            return;
        }
        decoder.skipUnreferenced(false);
        decoder.reset();
        idle.add(decoder);
        if (idle.size() > MOST_IDLE) {
            idle.removeFirst().close();
        }
    }

    private static boolean canBeginAnew(Decoder decoder) {
        StreamInfo stream = decoder.stream();
        return !decoder.hasSkipped()
                && ((stream.kind() == StreamInfo.Kind.VIDEO && !GO_ON.contains(stream.codec()))
                        || stream.codec().startsWith("pcm_")
                        || BEGIN_ANEW.contains(stream.codec()));
    }

    @Override
    public void close() {
        idle.forEach(Decoder::close);
        idle.clear();
    }
}
