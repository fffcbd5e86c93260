package org.jspdl.media.audio;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspdl.input.DecodeException;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.isolation.MediaRequest;
import org.jspdl.media.internal.isolation.MediaServer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.ElementType;
import org.jspdl.memory.Lease;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.Wav;
import org.jspecify.annotations.Nullable;

/// The program of a helper process that decodes sound. It keeps a decoder for as long as the spec is the same.
final class AudioHelper implements MediaServer.Work {
    /// A WAV file.
    private static final String TWO_SAMPLES =
            "RIFF(\0\0\0WAVEfmt \20\0\0\0\1\0\1\0\100\37\0\0\200>\0\0\2\0" + "\20\0data\4\0\0\0\0\0\1\0";
    /// More than this is freed after a call.
    private static final long KEPT = 32L << 20;

    private BufferPool pool = BufferPool.unbounded("helper");
    private byte[] known = new byte[0];
    private @Nullable AudioDecoder decoder;

    private AudioHelper() {}

    /// How a helper is started.
    static HelperCommand command() {
        return command(AudioHelper.class);
    }

    /// The same with a main class that calls [#serve].
    static HelperCommand command(Class<?> mainClass) {
        return new HelperCommand(
                mainClass,
                List.of(AudioHelper.class, DecodeException.class, Wav.class),
                FfmpegLibraries.resource(),
                List.of(),
                HelperCommand.COMPILED);
    }

    /// Serves one process.
    public static void main(String[] arguments) throws IOException {
        serve(arguments, UnaryOperator.identity());
    }

    /// Serves one process by what `around` makes of the work.
    static void serve(String[] arguments, UnaryOperator<MediaServer.Work> around) throws IOException {
        AudioHelper helper = new AudioHelper();
        helper.warmUp();
        MediaServer.serve(arguments, around.apply(helper));
    }

    /// Loads what nearly every call needs, before the first one has to wait for it: decodes two samples by FFmpeg.
    private void warmUp() {
        byte[] wav = TWO_SAMPLES.getBytes(StandardCharsets.ISO_8859_1);
        try (AudioDecoder once = AudioDecoder.create(
                AudioSpec.original().elements(ElementType.INT16).sampleRateHz(16_000), Isolation.none())) {
            once.decode(MediaSource.of(wav), pool).close();
        } catch (MediaException unknown) {
            // The first call takes a little longer.
        }
    }

    @Override
    public void answer(MediaRequest request) throws IOException {
        boolean isRow = request.details().readBoolean();
        AudioDecoder current = decoder(request.details().readAllBytes());
        AudioSpec spec = current.spec();
        if (isRow) {
            try (Tensor row = request.tensor(spec.elements(), spec.rowShape())) {
                long samples = current.decodeInto(request.source(), row.segment());
                request.done(bytes(samples));
            }
            return;
        }
        Rooms rooms = new Rooms(request);
        try (Tensor sound = current.decode(request.source(), rooms::lease)) {
            if (rooms.isCallers) {
                request.done(new byte[0], sound.type(), sound.shape());
                return;
            }
            try (Tensor given = request.tensor(sound.type(), sound.shape())) {
                given.segment().copyFrom(sound.segment());
            }
            request.done(new byte[0]);
        } finally {
            trim();
        }
    }

    /// Memory for samples: the caller's, so that they need not be copied, but for very long sounds.
    private final class Rooms {
        private final MediaRequest request;
        /// Whether the last memory was the caller's.
        private boolean isCallers;

        Rooms(MediaRequest request) {
            this.request = request;
        }

        Lease lease(long byteSize) {
            isCallers = byteSize <= MediaRequest.MOST_ROOM;
            return isCallers ? request.room(byteSize) : pool.lease(byteSize);
        }
    }

    private void trim() {
        if (pool.heldBytes() > KEPT) {
            pool.close();
            pool = BufferPool.unbounded("helper");
        }
    }

    private static byte[] bytes(long value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(value);
        }
        return bytes.toByteArray();
    }

    private AudioDecoder decoder(byte[] words) throws IOException {
        AudioDecoder current = decoder;
        if (current == null || !Arrays.equals(words, known)) {
            if (current != null) {
                current.close();
            }
            AudioSpec spec = AudioCall.spec(new DataInputStream(new ByteArrayInputStream(words)));
            current = AudioDecoder.create(spec, Isolation.none());
            decoder = current;
            known = words;
        }
        return current;
    }
}
