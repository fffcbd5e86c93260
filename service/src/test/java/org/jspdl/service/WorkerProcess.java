package org.jspdl.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanContext;
import org.jspecify.annotations.Nullable;

/// A worker in a process of its own, which can be killed as by `kill -9` and started again at the same port.
final class WorkerProcess implements AutoCloseable {
    private final Path plan;
    private final int port;
    private @Nullable Process process;

    WorkerProcess(Path plan) throws IOException {
        this.plan = plan;
        try (ServerSocket free = new ServerSocket(0)) {
            this.port = free.getLocalPort();
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
        process = started;
    }

    /// Waits until it serves.
    void await() throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(running().getInputStream(), StandardCharsets.UTF_8));
        if (out.readLine() == null) {
            throw new IOException("the worker ended before it served");
        }
    }

    private Process running() {
        return Objects.requireNonNull(process, "the worker was not started");
    }

    /// Kills it, if it was started.
    @Override
    public void close() {
        if (process != null) {
            running().destroyForcibly().onExit().join();
        }
    }

    /// The worker; ends with the process that has started it.
    public static void main(String[] arguments) throws Exception {
        try (PieceServer server = PieceServer.start(
                Plan.read(Path.of(arguments[0])),
                Operations.installed(),
                PlanContext.in(Path.of("")),
                ServerOptions.at(Integer.parseInt(arguments[1])).host("127.0.0.1"))) {
            System.out.println("serves at " + server.port());
            System.in.read();
        }
    }
}
