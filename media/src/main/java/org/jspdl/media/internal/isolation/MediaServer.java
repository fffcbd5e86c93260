package org.jspdl.media.internal.isolation;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspdl.input.MediaException;
import org.jspdl.media.internal.helper.HelperServer;

/// The program of a helper process of sound or video: answers one request after the other.
public final class MediaServer {
    private MediaServer() {}

    /// What it does with a request.
    public interface Work {
        /// Decodes what was asked for, and ends with [MediaRequest#done].
        void answer(MediaRequest request) throws IOException;
    }

    /// Serves one process.
    ///
    /// @param arguments of the helper's process
    public static void serve(String[] arguments, Work work) throws IOException {
        HelperServer.talk(Path.of(arguments[0]), dialog -> answer(dialog, work));
    }

    private static void answer(HelperServer.Dialog dialog, Work work) {
        try {
            work.answer(MediaRequest.read(dialog));
        } catch (MediaException refused) {
            fail(dialog, CallMemory.OF_MEDIA, refused.reason());
        } catch (IndexOutOfBoundsException none) {
            fail(dialog, CallMemory.OF_INDEX, String.valueOf(none.getMessage()));
        } catch (IllegalArgumentException wrong) {
            fail(dialog, CallMemory.OF_ARGUMENT, String.valueOf(wrong.getMessage()));
        } catch (IOException | RuntimeException | Error failure) {
            fail(dialog, CallMemory.OF_HELPER, failure.toString());
        }
    }

    private static void fail(HelperServer.Dialog dialog, int kind, String text) {
        MemorySegment memory = dialog.memory();
        CallMemory.say(memory, CallMemory.FAILED, kind, CallMemory.writeText(memory, text));
    }
}
