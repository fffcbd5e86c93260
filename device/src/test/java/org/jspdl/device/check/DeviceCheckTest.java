package org.jspdl.device.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.device.cuda.StandIn;
import org.junit.jupiter.api.Test;

/// The check for machines with a GPU, run over the driver's stand-in; and the errors of a machine without a driver.
class DeviceCheckTest {
    @Test
    void everyCheckPassesOverTheStandIn() throws Exception {
        String out = check("-Djspdl.cuda.library=" + StandIn.file());

        assertThat(out)
                .contains("name=Stand-in 40")
                .contains("ok      nested batches arrive", "ok      device memory grew by 0 bytes", "exit code 0")
                .doesNotContain("FAILED");
    }

    @Test
    void withoutADriverTheErrorSaysWhatToInstall() throws Exception {
        assertThat(check("-Djspdl.cuda.library=/nowhere/libcuda.so.1"))
                .contains("FAILED  no CUDA driver: /nowhere/libcuda.so.1 cannot be loaded")
                .contains("Install NVIDIA's driver, start a container with its GPUs (--gpus all)", "exit code 1");
    }

    private static String check(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                option,
                DeviceCheck.class.getName(),
                "--quick"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return out + "exit code " + process.waitFor();
    }
}
