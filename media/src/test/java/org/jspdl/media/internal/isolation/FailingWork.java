package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspdl.media.internal.codec.FailingHelper;
import org.jspdl.media.internal.lifetime.SourceView;
import org.jspdl.media.internal.natives.C;

/// Work of a helper whose library crashes over some sources and spins over others: which, is in their content.
public record FailingWork(MediaServer.Work work) implements MediaServer.Work {
    /// The name of a source over which the helper ends as if a terminal had told it to.
    public static final String TOLD_TO_END = "told to end";

    /// The name of a source over which the helper writes to all memory of results that it has ever had, as a wild
    /// pointer might.
    public static final String OVERWRITING = "overwriting";

    private static final int SIGTERM = 128 + 15;

    @Override
    public void answer(MediaRequest request) throws IOException {
        if (request.source().name().equals(TOLD_TO_END)) {
            Runtime.getRuntime().halt(SIGTERM);
        }
        if (request.source().name().equals(OVERWRITING)) {
            overwrite();
        }
        try (SourceView view = request.source().view()) {
            view.read(file -> {
                FailingHelper.fail(file);
                return file;
            });
        }
        work.answer(request);
    }

    private static void overwrite() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains("memfd:jspdl-result")) {
                long begin = HexFormat.fromHexDigitsToLong(line, 0, line.indexOf('-'));
                C.MEMORY.set(ValueLayout.JAVA_LONG_UNALIGNED, begin, -1L);
            }
        }
    }
}
