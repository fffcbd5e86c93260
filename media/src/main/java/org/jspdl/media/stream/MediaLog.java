package org.jspdl.media.stream;

import java.util.function.BiConsumer;
import org.jspdl.media.internal.ffmpeg.AvLog;
import org.jspdl.media.internal.ffmpeg.FfmpegLibraries;

/// FFmpeg's log: silent without a listener. One for the whole process.
public final class MediaLog {
    private static final int WARNING = 24;
    private static final int INFO = 32;

    private MediaLog() {}

    /// Gives messages of at least `least` importance to `listener`, on whatever thread they arise; it must be quick
    /// and thread-safe. Listening costs a call for every message that FFmpeg makes, those of less importance
    /// included.
    public static void listen(System.Logger.Level least, BiConsumer<System.Logger.Level, String> listener) {
        FfmpegLibraries.require();
        AvLog.listen((number, text) -> {
            System.Logger.Level level = level(number);
            if (level.getSeverity() >= least.getSeverity()) {
                listener.accept(level, text);
            }
        });
    }

    /// Gives messages of at least `least` importance to a logger.
    public static void listen(System.Logger.Level least, System.Logger logger) {
        listen(least, logger::log);
    }

    /// Back to silence.
    public static void silence() {
        FfmpegLibraries.require();
        AvLog.listen(null);
    }

    private static System.Logger.Level level(int number) {
        if (number <= AvLog.ERROR) {
            return System.Logger.Level.ERROR;
        }
        if (number <= WARNING) {
            return System.Logger.Level.WARNING;
        }
        return number <= INFO ? System.Logger.Level.INFO : System.Logger.Level.DEBUG;
    }
}
