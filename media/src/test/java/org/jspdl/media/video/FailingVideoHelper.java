package org.jspdl.media.video;

import java.io.IOException;
import org.jspdl.media.internal.helper.HelperCommand;
import org.jspdl.media.internal.isolation.FailingWork;

/// A helper of video that fails over some videos.
final class FailingVideoHelper {
    private FailingVideoHelper() {}

    static HelperCommand command() {
        return VideoHelper.command(FailingVideoHelper.class);
    }

    public static void main(String[] arguments) throws IOException {
        VideoHelper.serve(arguments, FailingWork::new);
    }
}
