package org.jspdl.python;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the tests of trainers, loaders and helpers that end, are killed or interrupted, alone and beside others.
class PythonEndsTest {
    @ParameterizedTest
    @ValueSource(strings = {"test_ends", "test_exits", "test_interrupts", "test_map", "test_shared", "test_threads"})
    @Tag("slow")
    @Timeout(1800) // the campaign kills and interrupts at length
    void thePackagePassesWhoeverEnds(String module) throws IOException, InterruptedException {
        PythonModules.pass(module);
    }
}
