package org.jspdl.kafka;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;

/// Kafka itself, broker and controller in one process of its own, which can be stopped and started again.
final class KafkaBroker {
    private static final long PATIENCE = Duration.ofSeconds(200).toNanos();

    private final Path settings;
    private final Path log;
    private final int port;
    private Process process;

    private KafkaBroker(Path settings, Path log, int port, Process process) {
        this.settings = settings;
        this.log = log;
        this.port = port;
        this.process = process;
    }

    /// Starts one with its data in `folder`, and waits until it answers.
    static KafkaBroker start(Path folder) throws Exception {
        int port = free();
        int controller = free();
        Path settings = Files.writeString(
                folder.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                inter.broker.listener.name=PLAINTEXT
                log.dirs=%3$s
                auto.create.topics.enable=false
                offsets.topic.replication.factor=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                transaction.state.log.num.partitions=1
                log.cleaner.backoff.ms=100
                log.initial.task.delay.ms=100
                """.formatted(port, controller, folder.resolve("log")));
        Path log = folder.resolve("broker.log");
        Process format = java(
                log,
                "kafka.tools.StorageTool",
                "format",
                "-t",
                Uuid.randomUuid().toString(),
                "-c",
                settings.toString());
        if (!format.waitFor(PATIENCE, TimeUnit.NANOSECONDS) || format.exitValue() != 0) {
            format.destroyForcibly();
            throw new IOException("the broker's folder was not formatted:\n" + Files.readString(log));
        }
        KafkaBroker broker = new KafkaBroker(settings, log, port, java(log, "kafka.Kafka", settings.toString()));
        broker.await();
        return broker;
    }

    /// Starts it again, without waiting.
    void startAgain() throws IOException {
        process = java(log, "kafka.Kafka", settings.toString());
    }

    private void await() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE;
        while (true) {
            try (Admin admin = admin()) {
                admin.describeCluster().nodes().get();
                return;
            } catch (ExecutionException notYet) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    kill();
                    throw new IOException("the broker did not start:\n" + Files.readString(log), notYet);
                }
            }
        }
    }

    private static Process java(Path log, String... command) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path")));
        words.addAll(List.of(command));
        return new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    Map<String, String> properties() {
        return Map.of("bootstrap.servers", "127.0.0.1:" + port);
    }

    Admin admin() {
        return Admin.create(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + port,
                "default.api.timeout.ms",
                "10000",
                "request.timeout.ms",
                "5000"));
    }

    /// Ends it at once, as by a crash.
    void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }
}
