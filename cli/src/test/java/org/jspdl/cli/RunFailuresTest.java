package org.jspdl.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.jspdl.pipeline.PipelineException;
import org.junit.jupiter.api.Test;

class RunFailuresTest {
    @Test
    void aFileThatCannotBeReadMayBeSkipped() {
        PipelineException broken = new PipelineException("read", "it failed", new IOException("a.jpg: too short"));

        assertThat(RunFailures.explain(broken))
                .isEqualTo("a.jpg: too short (--max-failures N skips up to N such files)");
    }

    @Test
    void aMissingLibraryGetsNoAdviceToSkipFiles() {
        PipelineException missing = new PipelineException(
                "decode", "it failed", new UnsupportedOperationException("TurboJPEG not found: install libturbojpeg0"));

        assertThat(RunFailures.explain(missing)).isEqualTo("TurboJPEG not found: install libturbojpeg0");
    }
}
