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
    void memoryThatIsNotToBeHadIsCountedWithWhatTakesLess() {
        assertThat(RunFailures.explain(new PipelineException(
                        "decode", "it failed", new OutOfMemoryError("Unable to allocate 206158430256 bytes"))))
                .isEqualTo("no memory for a batch: the system gave no 192.0 GiB; lower --batch-size or --size, or take"
                        + " --dtype uint8");
        assertThat(RunFailures.explain(
                        new PipelineException("source", "it failed", new OutOfMemoryError("Java heap space"))))
                .isEqualTo("the heap is full (Java heap space); give it more by JSPDL_OPTS=-Xmx1g, or lower --workers");
    }

    @Test
    void aMissingLibraryGetsNoAdviceToSkipFiles() {
        PipelineException missing = new PipelineException(
                "decode", "it failed", new UnsupportedOperationException("TurboJPEG not found: install libturbojpeg0"));

        assertThat(RunFailures.explain(missing)).isEqualTo("TurboJPEG not found: install libturbojpeg0");
    }
}
