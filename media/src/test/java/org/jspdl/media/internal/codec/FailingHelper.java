package org.jspdl.media.internal.codec;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspdl.media.internal.header.ImageHeader;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.resample.HighBitDepthPicture;
import org.jspdl.media.internal.resample.Picture;

/// A helper whose library crashes in some calls and spins in others: which, is in the file's content.
public final class FailingHelper {
    private static final int PER_MILLE_CRASHING = 5;
    private static final int PER_MILLE_SPINNING = 5;

    private FailingHelper() {}

    /// What becomes of a file.
    public enum Fate {
        DECODED,
        CRASH,
        ENDLESS
    }

    public static Fate of(MemorySegment file) {
        RandomGenerator random = RandomGeneratorFactory.of("SplittableRandom").create(Suspects.key(file));
        int drawn = random.nextInt(1000);
        return drawn < PER_MILLE_CRASHING
                ? Fate.CRASH
                : drawn < PER_MILLE_CRASHING + PER_MILLE_SPINNING ? Fate.ENDLESS : Fate.DECODED;
    }

    /// Isolation of all files in helpers that fail, with notes in `folder`.
    public static CodecIsolation isolation(Duration deadline, Path folder) {
        return new CodecIsolation(
                CodecIsolation.Scope.ALL,
                deadline.toNanos(),
                () -> CodecHelper.command(FailingHelper.class, JpegLibrary.FFMPEG),
                InFlight.of(Optional.of(folder)));
    }

    /// Isolation of everything in helpers of another kind, with notes in `folder`.
    public static CodecIsolation isolation(Duration deadline, Path folder, Supplier<HelperCommand> command) {
        return new CodecIsolation(
                CodecIsolation.Scope.ALL, deadline.toNanos(), command, InFlight.of(Optional.of(folder)));
    }

    /// Isolation of suspects in helpers of another kind, with notes in `folder`.
    public static CodecIsolation ofSuspects(Path folder, Supplier<HelperCommand> command) {
        return new CodecIsolation(
                CodecIsolation.Scope.SUSPECTS,
                Duration.ofSeconds(30).toNanos(),
                command,
                InFlight.of(Optional.of(folder)));
    }

    /// Isolation of suspects in helpers that do not fail, with notes in `folder`.
    public static CodecIsolation ofSuspects(Path folder) {
        return new CodecIsolation(
                CodecIsolation.Scope.SUSPECTS,
                Duration.ofSeconds(30).toNanos(),
                () -> CodecHelper.command(JpegLibrary.FFMPEG),
                InFlight.of(Optional.of(folder)));
    }

    /// Makes a file suspect for decoders with notes in `folder`.
    public static void suspect(Path folder, MemorySegment file) {
        new Suspects(Optional.of(folder)).add(Suspects.key(file));
    }

    /// Whether a file is suspect for decoders with notes in `folder`.
    public static boolean isSuspect(Path folder, MemorySegment file) {
        return new Suspects(Optional.of(folder)).contains("", Suspects.key(file));
    }

    public static void main(String[] arguments) throws IOException {
        CodecHelper.serve(arguments, Failing::new);
    }

    /// Does to this process what the content of a file says.
    @SuppressWarnings("restricted")
    public static void fail(MemorySegment encoded) {
        switch (of(encoded)) {
            case DECODED -> {}
            case ENDLESS -> {
                while (true) {
                    Thread.onSpinWait();
                }
            }
            case CRASH -> {
                if ((Suspects.key(encoded) & 1) == 0) {
                    abort();
                } else {
                    MemorySegment.NULL.reinterpret(8).set(ValueLayout.JAVA_LONG, 0, 1);
                }
            }
        }
    }

    @SuppressWarnings("restricted")
    private static void abort() {
        Linker linker = Linker.nativeLinker();
        // void abort(void)
        MethodHandle abort =
                linker.downcallHandle(linker.defaultLookup().find("abort").orElseThrow(), FunctionDescriptor.ofVoid());
        try {
            abort.invokeWithArguments();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private record Failing(ImageCodec codec) implements ImageCodec {
        @Override
        public void decode(
                MemorySegment encoded, ImageHeader header, int reduce, Region part, DecodeMode mode, Picture into) {
            fail(encoded);
            codec.decode(encoded, header, reduce, part, mode, into);
        }

        @Override
        public void decodeHighBitDepth(
                MemorySegment encoded, ImageHeader header, DecodeMode mode, HighBitDepthPicture into) {
            fail(encoded);
            codec.decodeHighBitDepth(encoded, header, mode, into);
        }

        @Override
        public void close() {
            codec.close();
        }
    }
}
