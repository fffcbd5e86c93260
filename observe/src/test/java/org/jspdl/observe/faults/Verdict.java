package org.jspdl.observe.faults;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspdl.observe.Report;
import org.jspdl.observe.diagnosis.Finding;
import org.jspdl.observe.diagnosis.Limit;
import org.jspdl.observe.diagnosis.Remedy;

/// What was said of one run.
///
/// @param predicted batches per second that the case's remedy should give; 0 if no finding has it
record Verdict(Limit limit, String stage, double rate, double predicted, String words) {
    private static final String MARK = "verdict\t";

    /// Runs the case. One about the heap gets a process of its own; so does one about other processes if this
    /// process runs with a real-time priority to be alone on a busy machine, which then has to do without it.
    static Verdict of(FaultCase fault, boolean remedied, Duration time, Path folder) throws Exception {
        boolean realTime = Boolean.getBoolean("faults.realtime");
        return switch (fault.fault()) {
            case GARBAGE ->
                inChild(
                        fault,
                        remedied,
                        time,
                        List.of(
                                "-XX:+UseSerialGC",
                                "-XX:+AlwaysPreTouch",
                                remedied ? "-Xms700m" : "-Xms56m",
                                remedied ? "-Xmx700m" : "-Xmx56m",
                                remedied ? "-Xmn500m" : "-Xmn12m"),
                        List.of());
            case BUSY_MACHINE ->
                realTime && !remedied
                        ? inChild(fault, false, time, List.of(), List.of("chrt", "-o", "0"))
                        : here(fault, remedied, time, folder);
            default -> here(fault, remedied, time, folder);
        };
    }

    private static Verdict here(FaultCase fault, boolean remedied, Duration time, Path folder) throws Exception {
        try (FaultyRun run = new FaultyRun(fault, remedied, folder)) {
            Report report = run.run(time);
            Finding first = report.diagnosis().first();
            double predicted = report.diagnosis().findings().stream()
                    .flatMap(finding -> finding.remedies().stream())
                    .filter(remedy -> remedy.kind() == fault.fault().remedy())
                    .findFirst()
                    .map(Remedy::rate)
                    .orElse(0.0);
            return new Verdict(
                    first.limit(), first.stage(), report.steady().stats().rate(), predicted, first.toString());
        }
    }

    private static Verdict inChild(
            FaultCase fault, boolean remedied, Duration time, List<String> options, List<String> before)
            throws Exception {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Verdict.class.getName(),
                String.valueOf(fault.seed()),
                String.valueOf(remedied),
                String.valueOf(time.plusMillis(600).toMillis())));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        String line = output.lines()
                .filter(each -> each.startsWith(MARK))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(output));
        String[] fields = line.split("\t", -1);
        return new Verdict(
                Limit.valueOf(fields[1]),
                fields[2],
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                fields[5]);
    }

    /// Runs a case in this process and prints its verdict.
    public static void main(String[] arguments) throws Exception {
        Verdict verdict = here(
                FaultCase.of(Long.parseLong(arguments[0])),
                Boolean.parseBoolean(arguments[1]),
                Duration.ofMillis(Long.parseLong(arguments[2])),
                Path.of(System.getProperty("java.io.tmpdir")));
        System.out.println(MARK
                + String.join(
                        "\t",
                        verdict.limit.name(),
                        verdict.stage,
                        String.valueOf(verdict.rate),
                        String.valueOf(verdict.predicted),
                        verdict.words));
    }
}
