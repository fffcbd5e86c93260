package org.jspdl.benchmarks;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspdl.input.DecodeException;
import org.jspdl.input.InputException;
import org.jspdl.media.ImageInfo;
import org.jspdl.media.audio.Audio;
import org.jspdl.media.image.Channels;
import org.jspdl.media.image.ImageDecoder;
import org.jspdl.media.image.ImageSpec;
import org.jspdl.memory.BufferPool;
import org.jspdl.memory.Tensor;

/// Decodes files that nobody here made, as `benchmarks/foreign` asks it to.
///
/// Reads a line for each file from standard input, `image PATH` or `sound PATH`, and answers with a line and samples:
/// `ok FORMAT BITS WIDTH HEIGHT`, then the picture in RGB and in RGBA, 8 bits a channel, rows from the top;
/// `ok SOUND CHANNELS FRAMES`, then floats of 32 bits, one channel after the other; `refused MESSAGE`; or `failed
/// MESSAGE` for an exception that a reader of files must not see. Each picture is decoded twice: `unstable` if that
/// makes a difference. Run it with `-Djspdl.memory.checked=true`, so that samples that nobody wrote make one.
public final class ForeignFiles {
    private final OutputStream out;
    private final BufferPool pool;
    private final ImageDecoder rgb;
    private final ImageDecoder rgba;

    private ForeignFiles(OutputStream out, BufferPool pool, ImageDecoder rgb, ImageDecoder rgba) {
        this.out = out;
        this.pool = pool;
        this.rgb = rgb;
        this.rgba = rgba;
    }

    /// Answers until standard input ends.
    public static void main(String[] arguments) throws IOException {
        PrintStream raw = System.out;
        System.setOut(System.err);
        try (OutputStream out = new BufferedOutputStream(raw, 1 << 20);
                BufferPool pool = BufferPool.create("foreign", 4L << 30);
                ImageDecoder rgb = ImageDecoder.create(ImageSpec.original());
                ImageDecoder rgba = ImageDecoder.create(ImageSpec.original().channels(Channels.RGBA));
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            ForeignFiles files = new ForeignFiles(out, pool, rgb, rgba);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                files.answer(line);
                out.flush();
            }
        }
    }

    private void answer(String line) throws IOException {
        int space = line.indexOf(' ');
        Path path = Path.of(line.substring(space + 1));
        try {
            if (line.startsWith("image ")) {
                picture(path);
            } else {
                sound(path);
            }
        } catch (InputException refused) {
            say("refused " + refused.getMessage());
        } catch (RuntimeException | Error stray) {
            say("failed " + stray);
        }
    }

    private void picture(Path path) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment file = arena.allocateFrom(ValueLayout.JAVA_BYTE, Files.readAllBytes(path));
            ImageInfo info = ImageDecoder.probe(file);
            try (Tensor colors = rgb.decode(file, pool);
                    Tensor withAlpha = rgba.decode(file, pool)) {
                boolean stable = isStable(rgb, file, colors) && isStable(rgba, file, withAlpha);
                say(String.format(
                        Locale.ROOT,
                        "%s %s %d %d %d",
                        stable ? "ok" : "unstable",
                        info.format().label(),
                        info.bitDepth(),
                        colors.shape().extent(1),
                        colors.shape().extent(0)));
                write(colors);
                write(withAlpha);
            }
        }
    }

    private boolean isStable(ImageDecoder decoder, MemorySegment file, Tensor first) {
        try (Tensor second = decoder.decode(file, pool)) {
            return first.segment().mismatch(second.segment()) < 0;
        } catch (DecodeException otherVerdict) {
            return false;
        }
    }

    private void sound(Path path) throws IOException {
        try (Tensor samples = Audio.load(path)) {
            say(String.format(
                    Locale.ROOT,
                    "ok SOUND %d %d",
                    samples.shape().extent(0),
                    samples.shape().extent(1)));
            write(samples);
        }
    }

    private void say(String line) {
        try {
            out.write(line.lines().findFirst().orElse("").getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private void write(Tensor tensor) throws IOException {
        byte[] piece = new byte[1 << 20];
        MemorySegment all = tensor.segment();
        for (long at = 0; at < all.byteSize(); at += piece.length) {
            int count = (int) Math.min(piece.length, all.byteSize() - at);
            MemorySegment.copy(all, ValueLayout.JAVA_BYTE, at, piece, 0, count);
            out.write(piece, 0, count);
        }
    }
}
