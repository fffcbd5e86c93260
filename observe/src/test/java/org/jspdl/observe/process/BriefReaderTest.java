package org.jspdl.observe.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BriefReaderTest {
    @TempDir
    Path proc;

    private BriefUsage read(String stat, String statm) throws Exception {
        Files.createDirectories(proc.resolve("self"));
        Files.writeString(proc.resolve("stat"), stat);
        Files.writeString(proc.resolve("self/statm"), statm);
        return BriefReader.of(proc).read();
    }

    @Test
    void itReadsWhatTheLongReaderReads() throws Exception {
        String stat = "cpu  100 20 30 4000 500 6 7 80 90 0\ncpu0 1 2 3\n";
        BriefUsage brief = read(stat, "5000 300 10 1 0 2 0\n");

        ProcessUsage whole = ProcessReader.of(proc).read();
        assertThat(brief.busyNanos())
                .isEqualTo(whole.machine().busy())
                .isEqualTo(Duration.ofMillis(2430).toNanos());
        assertThat(brief.resident()).isEqualTo(whole.memory().resident()).isEqualTo(300 * 4096);
        assertThat(brief.processors()).isEqualTo(whole.machine().processors());
        assertThat(brief.cpuNanos())
                .isPositive()
                .isLessThanOrEqualTo(whole.cpu().toNanos());
        assertThat(brief.at()).isLessThan(whole.at());
    }

    @Test
    void whatIsNotToldOrDamagedIsMinusOne() throws Exception {
        assertThat(BriefReader.of(proc.resolve("none")).read()).satisfies(usage -> {
            assertThat(usage.busyNanos()).isEqualTo(-1);
            assertThat(usage.resident()).isEqualTo(-1);
        });
        assertThat(read("", "").busyNanos()).isEqualTo(-1);
        assertThat(read("cpu  1 2 x", "7").busyNanos()).isEqualTo(-1);
        assertThat(read("memory 1 2 3 4 5", "7 x").resident()).isEqualTo(-1);
        // Old kernels count no interrupts.
        assertThat(read("cpu  1 2 3 4 5\n", "7 8").busyNanos()).isEqualTo(60_000_000);
    }
}
