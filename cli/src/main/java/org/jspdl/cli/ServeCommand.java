package org.jspdl.cli;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.run.PlanJob;
import org.jspdl.cli.settings.AccessArguments;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.data.dataset.DatasetException;
import org.jspdl.plan.Operations;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanException;
import org.jspdl.service.ClientOptions;
import org.jspdl.service.PieceServer;
import org.jspdl.service.ServerOptions;
import org.jspdl.service.ServerTls;

/// `jspdl serve`: decodes the images of a plan for loaders on other machines.
final class ServeCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "serve",
            "PLAN",
            "Decodes the images of a plan for loaders on other machines, whose plans name this worker as 'service'. Keeps"
                    + " nothing: start, stop and kill as many as you like.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.valued("--port", "N", "Listen at this port (default 8080; 0 for any)."),
                            Option.valued(
                                    "--host",
                                    "ADDRESS",
                                    "Listen at this address (default 127.0.0.1; 0.0.0.0 for all)."),
                            Option.flag("--anybody", "Answer other machines without a token."),
                            Option.valued(
                                    "--tls-certificate",
                                    "FILE",
                                    "Serve https:// with this certificate (PEM, with those that lead to its authority)."),
                            Option.valued("--tls-key", "FILE", "Its private key (PEM, PKCS #8, not encrypted)."),
                            Option.valued(
                                    "--tls-client-ca",
                                    "FILE",
                                    "Answer only loaders with a certificate of these authorities (PEM)."),
                            Option.valued(
                                    "--at-once", "N", "Pieces made or sent at once (default two for each processor)."),
                            Option.valued("--most-places", "N", "Images of a piece at most (default 256)."),
                            AccessArguments.ALLOW_LOCAL,
                            AccessArguments.ALLOW_HOSTS,
                            AccessArguments.STORAGE,
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Only loaders with the same JSPDL_SERVICE_TOKEN are answered; beyond this machine there must be",
                    "one, or --tls-client-ca. /health says whether this worker takes requests, /metrics what it did.",
                    "See docs/how-to/data-service.md.",
                    "",
                    "Examples",
                    "  jspdl serve plan.yaml --host 0.0.0.0",
                    "  jspdl serve plan.yaml --host 0.0.0.0 --tls-certificate worker.pem --tls-key worker.key",
                    "",
                    "Exit codes: 0 ended by a signal with all requests answered, 1 it cannot serve, 2 wrong option or",
                    "plan, 130 or 143 ended by a signal with requests left."));

    /// Less than an interrupted command has to end.
    private static final Duration DRAINING = Duration.ofSeconds(8);

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Terminal terminal;
    private final Map<String, String> environment;

    ServeCommand(Terminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException, InterruptedException {
        String operand = line.operand().orElseThrow(() -> new UsageException("serve needs a plan"));
        Path file = new RunArguments(line).localPath("a plan", operand);
        PlanJob.PlanText.require(file);
        // The JDK's server reads these once: answers leave at once, and no connection is held for ever.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        System.setProperty("sun.net.httpserver.maxRspTime", "60");
        try (PieceServer server = PieceServer.start(
                Plan.read(file), Operations.installed(), PlanCommand.context(file, line), options(line))) {
            terminal.err()
                    .println(String.format(
                            Locale.ROOT,
                            "jspdl: serves %,d images at port %d (fingerprint %.12s...)",
                            server.places(),
                            server.port(),
                            server.fingerprint()));
            return awaitEnd(server);
        } catch (PlanException | IllegalArgumentException wrong) {
            throw new DatasetException(String.valueOf(wrong.getMessage()));
        } catch (BindException taken) {
            throw new IOException(
                    "cannot listen at " + host(line) + ", port "
                            + line.text("--port").orElse("8080") + ": " + taken.getMessage()
                            + "; --port and --host name another place",
                    taken);
        }
    }

    /// @throws UsageException if no machine is called so
    private static String host(CommandLine line) throws UsageException {
        String host = line.text("--host").orElse("127.0.0.1");
        try {
            InetAddress _ = InetAddress.getByName(host);
            return host;
        } catch (UnknownHostException unknown) {
            throw new UsageException("--host must be an address of this machine, but '" + host + "' is not known");
        }
    }

    /// The exit code.
    private int awaitEnd(PieceServer server) throws InterruptedException {
        try {
            new CountDownLatch(1).await();
            return Main.FAILED; // which nothing leads to
        } catch (InterruptedException signal) {
            terminal.err().println("jspdl: takes no more requests, and ends when those under way are answered");
            if (!server.drain(DRAINING)) {
                terminal.err().println("jspdl: some requests were not answered in time");
                return Main.INTERRUPTED;
            }
            return Main.DRAINED;
        }
    }

    private ServerOptions options(CommandLine line) throws UsageException {
        ServerOptions usual = ServerOptions.at(line.integer("--port", 8_080, 0, 65_535));
        ServerOptions options = usual.host(host(line))
                .limits(
                        line.integer("--at-once", usual.atOnce(), 1, 65_536),
                        line.integer("--most-places", usual.mostPlaces(), 1, 65_536),
                        PATIENCE);
        options = line.has("--anybody") ? options.forAnybody() : options;
        options = line.text("--tls-certificate").isPresent() ? options.tls(tls(line)) : options;
        for (String needing : List.of("--tls-key", "--tls-client-ca")) {
            if (line.text(needing).isPresent() && options.tls().isEmpty()) {
                throw new UsageException(needing + " needs --tls-certificate");
            }
        }
        String token = environment.getOrDefault(ClientOptions.TOKEN_VARIABLE, "");
        return token.isBlank() ? options : options.token(token);
    }

    private static ServerTls tls(CommandLine line) throws UsageException {
        RunArguments files = new RunArguments(line);
        Path certificate = files.localPath(
                "--tls-certificate", line.text("--tls-certificate").orElseThrow());
        String key = line.text("--tls-key")
                .orElseThrow(() -> new UsageException("--tls-certificate needs --tls-key, the file of its key"));
        ServerTls tls = ServerTls.of(certificate, files.localPath("--tls-key", key));
        Optional<String> clients = line.text("--tls-client-ca");
        return clients.isPresent() ? tls.clients(files.localPath("--tls-client-ca", clients.get())) : tls;
    }
}
