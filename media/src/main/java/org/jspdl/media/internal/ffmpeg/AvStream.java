package org.jspdl.media.internal.ffmpeg;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.jspdl.media.internal.natives.C;

/// The fields of `AVStream` of libavformat 62.
public final class AvStream {
    static final int BYTE_SIZE = 216;
    static final long PARAMETERS = 16;
    private static final long NUMBER = 12;
    private static final long TIME_BASE = 32;
    private static final long START = 40;
    private static final long DURATION = 48;
    private static final long FRAMES = 56;
    private static final long DISPOSITION = 64;
    private static final long DISCARD = 68;
    private static final long ASPECT = 72;
    private static final long METADATA = 80;
    private static final long AVERAGE_RATE = 88;
    private static final long GUESSED_RATE = 204;
    private static final int DISCARD_ALL = 48;
    private static final int DISPLAY_MATRIX = 5;
    private static final int SIDE_DATA_BYTES = 24;

    private AvStream() {}

    /// A copy of what a decoder must know of the stream.
    public static AvParameters parameters(MemorySegment stream) {
        return AvParameters.copyOf(stream.get(ValueLayout.ADDRESS, PARAMETERS));
    }

    /// The `AVCodecParameters*` itself.
    static MemorySegment parametersPointer(MemorySegment stream) {
        return C.view(stream.get(ValueLayout.ADDRESS, PARAMETERS), AvParameters.BYTE_SIZE);
    }

    /// The number that the container has for it: the PID of a transport stream.
    public static int number(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_INT, NUMBER);
    }

    public static int timeBaseNumerator(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_INT, TIME_BASE);
    }

    public static int timeBaseDenominator(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_INT, TIME_BASE + 4);
    }

    /// Sets the unit that a muxer should use, which it may replace.
    static void timeBase(MemorySegment stream, int numerator, int denominator) {
        stream.set(ValueLayout.JAVA_INT, TIME_BASE, numerator);
        stream.set(ValueLayout.JAVA_INT, TIME_BASE + 4, denominator);
    }

    /// When the stream begins, in its time base, or [AvPacket#NO_TIME].
    public static long start(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_LONG, START);
    }

    /// How long the stream is, in its time base, or [AvPacket#NO_TIME].
    public static long duration(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_LONG, DURATION);
    }

    /// How many frames the header says there are; 0 if it does not.
    public static long frames(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_LONG, FRAMES);
    }

    /// `AV_DISPOSITION_*` flags.
    public static int disposition(MemorySegment stream) {
        return stream.get(ValueLayout.JAVA_INT, DISPOSITION);
    }

    /// Whether packets of this stream are read or skipped.
    public static void read(MemorySegment stream, boolean wanted) {
        stream.set(ValueLayout.JAVA_INT, DISCARD, wanted ? 0 : DISCARD_ALL);
    }

    /// The mean frame rate: numerator and denominator, 0 if unknown.
    public static int[] frameRate(MemorySegment stream) {
        int numerator = stream.get(ValueLayout.JAVA_INT, AVERAGE_RATE);
        int denominator = stream.get(ValueLayout.JAVA_INT, AVERAGE_RATE + 4);
        if (numerator > 0 && denominator > 0) {
            return new int[] {numerator, denominator};
        }
        return new int[] {
            stream.get(ValueLayout.JAVA_INT, GUESSED_RATE), stream.get(ValueLayout.JAVA_INT, GUESSED_RATE + 4)
        };
    }

    /// The shape of a pixel, width to height; 0 if unknown.
    public static int[] aspect(MemorySegment stream) {
        return new int[] {stream.get(ValueLayout.JAVA_INT, ASPECT), stream.get(ValueLayout.JAVA_INT, ASPECT + 4)};
    }

    public static Map<String, String> metadata(MemorySegment stream) {
        return AvDictionary.entries(stream.get(ValueLayout.ADDRESS, METADATA));
    }

    /// How a picture must be changed to be seen upright.
    ///
    /// @param rotation how far it must be turned clockwise: 0, 90, 180 or 270 degrees
    /// @param mirrored whether left and right are exchanged after that
    public record Display(int rotation, boolean mirrored) {
        /// A picture that is upright.
        public static final Display UPRIGHT = new Display(0, false);
    }

    /// What the matrix says that maps stored pixels to those that are shown.
    public static Display display(MemorySegment stream) {
        MemorySegment parameters = parametersPointer(stream);
        int count = parameters.get(ValueLayout.JAVA_INT, 40);
        MemorySegment entries =
                C.view(parameters.get(ValueLayout.ADDRESS, 32), (long) Math.max(0, count) * SIDE_DATA_BYTES);
        for (int i = 0; i < count; i++) {
            MemorySegment entry = entries.asSlice((long) i * SIDE_DATA_BYTES, SIDE_DATA_BYTES);
            if (entry.get(ValueLayout.JAVA_INT, 16) == DISPLAY_MATRIX && entry.get(ValueLayout.JAVA_LONG, 8) >= 36) {
                MemorySegment matrix = C.view(entry.get(ValueLayout.ADDRESS, 0), 36);
                double a = matrix.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
                double b = matrix.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
                double c = matrix.get(ValueLayout.JAVA_INT_UNALIGNED, 12);
                double d = matrix.get(ValueLayout.JAVA_INT_UNALIGNED, 16);
                boolean mirrored = a * d - b * c < 0;
                long quarters = Math.round(Math.toDegrees(Math.atan2(b, mirrored ? -a : a)) / 90);
                return new Display((int) Math.floorMod(quarters, 4L) * 90, mirrored);
            }
        }
        return Display.UPRIGHT;
    }
}
