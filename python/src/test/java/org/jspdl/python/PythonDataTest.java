package org.jspdl.python;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of what loaders load, and of what users read and expect.
class PythonDataTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "test_documents",
                "test_expected",
                "test_helpers",
                "test_notebooks",
                "test_snippets",
                "test_types"
            })
    @Tag("slow")
    @Timeout(1800) // the campaign kills and interrupts at length
    void thePackagePassesWithFilesOfManyKinds(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }
}
