package org.jspdl.python;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of the Python package's loaders with the machine's `python3`, over the classes of this build. There
/// are four such classes, each of about the same time, of which the build runs two at once.
class PythonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "test_alarm",
                "test_conda",
                "test_errors",
                "test_names_in_documents",
                "test_private",
                "test_torch",
                "test_wheel"
            })
    void thePackagePasses(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"test_balance", "test_batches", "test_orders", "test_records", "test_secrets", "test_state"})
    @Tag("slow")
    @Timeout(1800) // the campaign kills and interrupts at length
    void thePackagePassesWithManyProcesses(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }
}
