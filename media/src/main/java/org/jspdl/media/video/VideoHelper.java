package org.jspdl.media.video;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspdl.input.DecodeException;
import org.jspdl.input.MediaException;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.Isolation;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.isolation.MediaRequest;
import org.jspdl.media.internal.isolation.MediaServer;
import org.jspdl.media.stream.MediaSource;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;
import org.jspdl.wav.Wav;
import org.jspecify.annotations.Nullable;

/// The program of a helper process that decodes video. It keeps a decoder for as long as the spec is the same.
final class VideoHelper implements MediaServer.Work {
    /// A BMP file, which FFmpeg takes for a video of one frame.
    private static final String ONE_FRAME = "424d3a0000000000000036000000"
            + "280000000100000001000000010018000000000004000000130b0000130b00000000000000000000" + "00000000";

    private byte[] known = new byte[0];
    private @Nullable VideoDecoder decoder;

    private VideoHelper() {}

    /// How a helper is started.
    static HelperCommand command() {
        return command(VideoHelper.class);
    }

    /// The same with a main class that calls [#serve].
    static HelperCommand command(Class<?> mainClass) {
        return new HelperCommand(
                mainClass,
                List.of(VideoHelper.class, DecodeException.class, Wav.class),
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
        warmUp();
        MediaServer.serve(arguments, around.apply(new VideoHelper()));
    }

    /// Loads what nearly every call needs, before the first one has to wait for it: decodes a frame of one pixel.
    private static void warmUp() {
        MediaSource pixel = MediaSource.of(HexFormat.of().parseHex(ONE_FRAME));
        try (VideoDecoder once = VideoDecoder.create(VideoSpec.original(), Isolation.none());
                BufferPool pool = BufferPool.unbounded("helper")) {
            once.decode(pixel, pool).close();
        } catch (MediaException unknown) {
            // The first call takes a little longer.
        }
    }

    @Override
    public void answer(MediaRequest request) throws IOException {
        DataInputStream details = request.details();
        VideoDecoder current = decoder(details.readNBytes(details.readInt()));
        MediaSource source = request.source();
        Placing placing = (width, height) -> place(request, width, height);
        ClipBuilder.Destination into =
                shape -> request.tensor(current.spec().frame().elements(), shape);
        ByteArrayOutputStream last = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(last)) {
            switch (details.readInt()) {
                case VideoMessage.WINDOW -> {
                    current.windowHere(source, into, placing).close();
                    out.writeInt(request.lastTensor());
                }
                case VideoMessage.FRAMES -> {
                    int[] indices = VideoMessage.clips(details).getFirst();
                    FrameIndex index = VideoMessage.index(details);
                    current.framesHere(source, index, indices, into, placing).close();
                    out.writeInt(request.lastTensor());
                }
                case VideoMessage.CLIPS -> {
                    List<Tensor> clips = current.clipsHere(source, index -> choose(request, index), into, placing);
                    clips.forEach(Tensor::close);
                    for (int i = 0; i < clips.size(); i++) {
                        out.writeInt(i);
                    }
                }
                case VideoMessage.INDEX -> VideoMessage.write(FrameIndex.of(source), out);
                default -> throw new IOException("an unknown request");
            }
        }
        request.done(last.toByteArray());
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private static DataInputStream ask(MediaRequest request, Writing question) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            question.to(out);
        }
        return request.ask(bytes.toByteArray());
    }

    private static ImagePlacement place(MediaRequest request, int width, int height) {
        try {
            return VideoMessage.placement(ask(request, out -> {
                out.writeInt(VideoMessage.PLACE);
                out.writeInt(width);
                out.writeInt(height);
            }));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static List<int[]> choose(MediaRequest request, FrameIndex index) {
        try {
            return VideoMessage.clips(ask(request, out -> {
                out.writeInt(VideoMessage.CHOOSE);
                VideoMessage.write(index, out);
            }));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private VideoDecoder decoder(byte[] words) throws IOException {
        VideoDecoder current = decoder;
        if (current == null || !Arrays.equals(words, known)) {
            if (current != null) {
                current.close();
            }
            VideoSpec spec = VideoMessage.spec(new DataInputStream(new ByteArrayInputStream(words)));
            current = VideoDecoder.create(spec, Isolation.none());
            decoder = current;
            known = words;
        }
        return current;
    }
}
