package org.jspdl.media.audio;

import java.io.IOException;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.isolation.FailingWork;

/// A helper of sound that fails over some sounds.
final class FailingAudioHelper {
    private FailingAudioHelper() {}

    static HelperCommand command() {
        return AudioHelper.command(FailingAudioHelper.class);
    }

    public static void main(String[] arguments) throws IOException {
        AudioHelper.serve(arguments, FailingWork::new);
    }
}
