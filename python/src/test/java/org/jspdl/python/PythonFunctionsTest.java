package org.jspdl.python;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of functions and datasets of the user's.
class PythonFunctionsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "test_before_batches",
                "test_dataset",
                "test_generated",
                "test_like_dataloader",
                "test_surprises",
                "test_surroundings"
            })
    @Tag("slow")
    @Timeout(1800) // the campaign kills and interrupts at length
    void thePackagePassesWithFunctionsOfTheUsers(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }
}
