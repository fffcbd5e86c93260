package org.jspdl.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.BindException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspecify.annotations.Nullable;

/// A worker in a process of its own, which can be killed as by `kill -9` and started again at the same port.
final class WorkerProcess implements AutoCloseable {
    private final Path plan;
    private final int port;
    private volatile @Nullable Running running;

    /// @param announced when it began to serve, of [System#nanoTime]; empty if it ended before
    private record Running(Process process, CompletableFuture<OptionalLong> announced, boolean stopped) {
        OptionalLong servingSince() {
            return process.isAlive() && !stopped ? announced.getNow(OptionalLong.empty()) : OptionalLong.empty();
        }
    }

    WorkerProcess(Path plan) throws IOException {
        this.plan = plan;
        this.port = freePort();
    }

    /// A port that nobody else gets meanwhile, since the system gives out others to those who ask for any.
    private static int freePort() throws IOException {
        for (int attempt = 0; ; attempt++) {
            try (ServerSocket free =
                    new ServerSocket(ThreadLocalRandom.current().nextInt(15_000, 32_000))) {
                return free.getLocalPort();
            } catch (BindException taken) {
                if (attempt == 1_000) {
                    throw taken;
                }
            }
        }
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    /// Starts it, without waiting until it serves.
    void start() throws IOException {
        Process started = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WorkerProcess.class.getName(),
                        plan.toString(),
                        Integer.toString(port))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        CompletableFuture<OptionalLong> announced = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try (BufferedReader out = started.inputReader(StandardCharsets.UTF_8)) {
                announced.complete(out.readLine() == null ? OptionalLong.empty() : OptionalLong.of(System.nanoTime()));
                out.transferTo(Writer.nullWriter());
            } catch (IOException ended) {
                announced.complete(OptionalLong.empty());
            }
        });
        running = new Running(started, announced, false);
    }

    /// Waits until it serves.
    void await() throws IOException {
        if (running().announced.join().isEmpty()) {
            throw new IOException("the worker ended before it served");
        }
    }

    /// Whether it answers requests.
    boolean isServing() {
        return servingSince().isPresent();
    }

    /// Since when it answers requests without having been stopped, of [System#nanoTime]; empty if it doesn't.
    OptionalLong servingSince() {
        Running now = running;
        return now == null ? OptionalLong.empty() : now.servingSince();
    }

    /// Whether it will serve soon.
    boolean isStarting() {
        Running now = running;
        return now != null && now.process.isAlive() && !now.stopped && !now.announced.isDone();
    }

    /// Stops it as by `kill -STOP`: it takes connections, and answers nothing.
    void stop() throws IOException, InterruptedException {
        Running now = running();
        new ProcessBuilder("kill", "-STOP", Long.toString(now.process.pid()))
                .start()
                .waitFor();
        running = new Running(now.process, now.announced, true);
    }

    private Running running() {
        return Objects.requireNonNull(running, "the worker was not started");
    }

    /// Kills it, if it was started.
    @Override
    public void close() {
        if (running != null) {
            running().process.destroyForcibly().onExit().join();
        }
    }

    /// The worker; ends with the process that has started it.
    public static void main(String[] arguments) throws Exception {
        try (PieceServer server = PieceServer.start(
                Plan.read(Path.of(arguments[0])),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(Integer.parseInt(arguments[1])).limits(4, 4, Duration.ofSeconds(2)))) {
            System.out.println("serves at " + server.port());
            System.in.read();
        }
    }
}
