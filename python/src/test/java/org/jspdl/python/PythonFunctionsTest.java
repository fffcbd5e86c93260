package org.jspdl.python;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of functions and datasets of the user's, and of what users read and interrupt. Beside [PythonTest],
/// so that the build runs both at once.
class PythonFunctionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "test_balance",
                "test_before_batches",
                "test_dataset",
                "test_documents",
                "test_expected",
                "test_interrupts",
                "test_map",
                "test_orders",
                "test_snippets",
                "test_surprises",
                "test_threads",
                "test_types"
            })
    @Tag("slow")
    @Timeout(1800) // the campaign interrupts at every point
    void thePackagePassesWithFunctionsOfTheUsers(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }
}
