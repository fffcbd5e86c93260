package org.jspdl.benchmarks;

/// What a contestant prints for the harness to read: one JSON object on a line for each event.
final class Events {
    private Events() {}

    /// What the contestant is made of, beside Java.
    ///
    /// @param more names and versions, in turns
    static void versions(String... more) {
        StringBuilder event = new StringBuilder("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\"");
        for (int i = 0; i < more.length; i += 2) {
            event.append(", \"" + more[i] + "\": \"" + more[i + 1] + "\"");
        }
        IO.println(event.append('}'));
    }

    /// The first batch, or what corresponds to it, is there.
    static void firstBatch() {
        IO.println("{\"event\": \"first_batch\"}");
    }

    /// Something that works on items.
    interface Epoch {
        /// Returns how many items there were.
        long run() throws Exception;
    }

    /// Runs an epoch, and tells how many items it had and what they took.
    static void epoch(Epoch epoch) throws Exception {
        long start = System.nanoTime();
        long cpu = ProcessCpu.nanos();
        long items = epoch.run();
        IO.println("{\"event\": \"epoch\", \"items\": " + items + ", \"seconds\": " + (System.nanoTime() - start) / 1e9
                + ", \"cpu_seconds\": " + (ProcessCpu.nanos() - cpu) / 1e9 + "}");
    }
}
