package org.jspdl.media.internal.codec;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspdl.input.DecodeException;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.header.ImageHeaders;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.helper.HelperServer;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;

/// The program of a helper process: decodes files in shared memory with native codecs.
public final class CodecHelper {
    /// A BMP file.
    private static final String ONE_PIXEL = "424d3a0000000000000036000000"
            + "280000000100000001000000010018000000000004000000130b0000130b00000000000000000000" + "00000000";
    private static final long WARM_UP_BYTES = 1 << 16;

    private final NativeCodecs codecs;
    private final UnaryOperator<ImageCodec> around;
    private final ImageHeader header = new ImageHeader();
    private final Picture picture = new Picture();
    private final HighBitDepthPicture highBitDepthPicture = new HighBitDepthPicture();

    private CodecHelper(NativeCodecs codecs, UnaryOperator<ImageCodec> around) {
        this.codecs = codecs;
        this.around = around;
    }

    /// How a helper is started.
    static HelperCommand command(JpegLibrary library) {
        return command(CodecHelper.class, library);
    }

    /// The same with a main class that calls [#serve].
    static HelperCommand command(Class<?> mainClass, JpegLibrary library) {
        return new HelperCommand(
                mainClass,
                List.of(CodecHelper.class, DecodeException.class),
                FfmpegLibraries.resource(),
                List.of(library.name()));
    }

    /// Serves one process.
    public static void main(String[] arguments) throws IOException {
        serve(arguments, UnaryOperator.identity());
    }

    /// Serves one process by what `around` makes of the codecs.
    static void serve(String[] arguments, UnaryOperator<ImageCodec> around) throws IOException {
        try (NativeCodecs codecs = new NativeCodecs(JpegLibrary.valueOf(arguments[1]))) {
            warmUp(codecs);
            HelperServer.serve(Path.of(arguments[0]), new CodecHelper(codecs, around)::answer);
        }
    }

    /// Loads what nearly every call needs, before the first one has to wait for it: decodes a file of one pixel.
    private static void warmUp(NativeCodecs codecs) {
        byte[] file = HexFormat.of().parseHex(ONE_PIXEL);
        try (Arena arena = Arena.ofConfined()) {
            CodecMessage.Request request = new CodecMessage.Request(false, 1, Region.whole(1, 1), DecodeMode.STRICT);
            MemorySegment shared = arena.allocate(WARM_UP_BYTES, Long.BYTES);
            CodecMessage.write(request, MemorySegment.ofArray(file), shared);
            new CodecHelper(codecs, UnaryOperator.identity()).answer(shared);
        }
    }

    private void answer(MemorySegment shared) {
        try {
            decode(shared);
        } catch (DecodeException refused) {
            CodecMessage.writeFailure(CodecMessage.REFUSED, String.valueOf(refused.getMessage()), shared);
        } catch (RuntimeException | Error failure) {
            CodecMessage.writeFailure(CodecMessage.FAILED, failure.toString(), shared);
        }
    }

    private void decode(MemorySegment shared) {
        CodecMessage.Request request = CodecMessage.request(shared);
        MemorySegment file = CodecMessage.file(shared);
        ImageHeaders.read(file, header);
        ImageCodec codec = around.apply(codecs.of(header.format));
        if (request.highBitDepth()) {
            codec.decodeHighBitDepth(file, header, request.mode(), highBitDepthPicture);
            CodecMessage.write(highBitDepthPicture, header, shared);
        } else {
            codec.decode(file, header, request.reduce(), request.part(), request.mode(), picture);
            CodecMessage.write(picture, shared);
        }
    }
}
