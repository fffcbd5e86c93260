package org.jspdl.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspdl.testkit.storage.Faults;
import org.jspdl.testkit.storage.ObjectContent;
import org.jspdl.testkit.storage.ObjectServer;

/// The server of the scenario `storage`, in a process of its own: holds the files of a folder, 100,000 made-up objects
/// of 16 KiB, and one that is very large. Prints its port, and serves until it is killed.
///
/// Arguments: milliseconds before each answer, whether there is a storm (`calm` or `storm`), the folder.
public final class StorageServer {
    /// Bytes of each made-up object.
    static final int OBJECT = 16 << 10;

    /// What made-up objects are made of, and the path of the large one.
    static final long SEED = 6;

    private static final int OBJECTS = 100_000;

    private StorageServer() {}

    /// Serves until the process is killed.
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Faults latency = Faults.latency(Duration.ofMillis(Long.parseLong(arguments[0])));
        boolean storm = arguments[1].equals("storm");
        ObjectServer server = ObjectServer.start(
                storm
                        ? latency.seed(SEED)
                                .unavailable(0.05, Duration.ZERO)
                                .reset(0.01)
                                .truncated(0.01)
                        : latency);
        for (int i = 0; i < OBJECTS; i++) {
            server.put("/objects/" + i, ObjectContent.seeded(SEED + i, OBJECT));
        }
        server.put("/large", ObjectContent.seeded(SEED, 1L << 40));
        addFiles(server, Path.of(arguments[2]));
        IO.println(server.port());
        new CountDownLatch(1).await();
    }

    private static void addFiles(ObjectServer server, Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> files = walk.filter(Files::isRegularFile).toList();
            for (Path file : files) {
                server.put("/files/" + folder.relativize(file), ObjectContent.of(Files.readAllBytes(file)));
            }
        }
    }
}
