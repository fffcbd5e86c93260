package org.jspdl.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/// One session for all tests of a process, of two threads, which tries a task three times, without a web server, which
/// leaves no file behind.
final class LocalSession {
    private LocalSession() {}

    static SparkSession get() {
        return Made.SESSION;
    }

    private static final class Made {
        static final SparkSession SESSION = make();
    }

    private static SparkSession make() {
        Path scratch = scratch();
        return SparkSession.builder()
                .master("local[2,3]")
                .appName("jspdl tests")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", "2")
                .config(
                        "spark.sql.warehouse.dir",
                        scratch.resolve("warehouse").toUri().toString())
                .config("spark.local.dir", scratch.toString())
                .getOrCreate();
    }

    /// A folder that is gone with the process, once Spark has removed what it wrote there.
    private static Path scratch() {
        try {
            Path scratch = Files.createTempDirectory("jspdl-spark-test");
            scratch.toFile().deleteOnExit();
            return scratch;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
