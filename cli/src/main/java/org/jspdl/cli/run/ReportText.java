package org.jspdl.cli.run;

import java.util.Locale;
import org.jspdl.observe.text.Figures;

/// The report for a person.
final class ReportText {
    private static final int FAILURES_SHOWN = 20;
    private static final double LONG_PREPARATION_SECONDS = 2;

    private final StringBuilder text = new StringBuilder(2048);

    private ReportText() {}

    static String of(RunReport report) {
        ReportText text = new ReportText();
        text.headline(report);
        text.figures(report);
        text.text.append(report.watched().text());
        text.failures(report);
        return text.text.toString();
    }

    private void headline(RunReport report) {
        line(report.interrupted() ? "Interrupted; so far:" : "");
        report.subject().settings().ifPresentOrElse(settings -> images(report, settings), () -> plan(report));
        line("");
    }

    private static String batches(RunReport report) {
        return Figures.count(
                report.epochs().stream().mapToLong(EpochFigures::batches).sum());
    }

    private void plan(RunReport report) {
        line(
                "%s items in %s deliveries, by the plan %s",
                Figures.count(report.totalItems()),
                batches(report),
                report.subject().name());
    }

    private void images(RunReport report, RunSettings settings) {
        line(
                "%s images of %s as %s batches of %s, %s %s %s, %s at once, decoded by %s",
                Figures.count(report.totalItems()),
                report.subject().name(),
                batches(report),
                Figures.count(settings.batch()),
                settings.picture().size() + " x " + settings.picture().size(),
                RunSettings.spelled(settings.picture().elements()),
                RunSettings.spelled(settings.picture().layout()),
                settings.concurrency(),
                report.subject().decoders());
    }

    private void figures(RunReport report) {
        EpochFigures last = report.lastEpoch();
        String of = report.epochs().size() == 1
                ? ""
                : "   (epoch " + report.epochs().size() + " of "
                        + report.subject().epochs() + ")";
        figure(report.subject().items() + " per second", Figures.rate(last.itemsPerSecond()) + of);
        figure(
                "CPU per 1,000 " + report.subject().items(),
                String.format(Locale.ROOT, "%.2f s", last.cpuSecondsPer1000Items()) + of);
        figure("first batch after", firstBatch(report));
        report.peakResidentBytes().ifPresent(bytes -> figure("peak memory", Figures.bytes(bytes)));
        report.reading().ifPresent(this::reading);
        if (report.subject().leftOut().files() > 0) {
            figure("left out", "files that are not images: " + report.subject().leftOut());
        }
        if (report.failures() > 0) {
            figure("skipped files", Figures.count(report.failures()));
        }
        line("");
    }

    private void reading(Reading reading) {
        reading.cache().ifPresent(cache -> figure("found in the cache", Reading.text(cache)));
        if (!reading.repeated().isEmpty()) {
            figure("repeated", reading.repeated());
        }
    }

    private static String firstBatch(RunReport report) {
        if (report.firstBatchSeconds() < 0) {
            return "none came";
        }
        String preparing = report.preparationSeconds() < LONG_PREPARATION_SECONDS
                ? ""
                : String.format(
                        Locale.ROOT, ", %.1f s of it to build or to make the dataset", report.preparationSeconds());
        return String.format(
                Locale.ROOT, "%.2f s   (from the start of the process%s)", report.firstBatchSeconds(), preparing);
    }

    private void figure(String name, String value) {
        line("  %-22s %s", name, value);
    }

    private void failures(RunReport report) {
        if (report.failures() == 0) {
            return;
        }
        line("");
        line("Skipped %s:", report.failures() == 1 ? "1 file" : Figures.count(report.failures()) + " files");
        report.failed().stream()
                .limit(FAILURES_SHOWN)
                .forEach(failure -> line("  %s: %s", failure.path(), failure.reason()));
        if (report.failures() > FAILURES_SHOWN) {
            line(
                    "  ... and %s more (--json FILE lists up to %s)",
                    Figures.count(report.failures() - FAILURES_SHOWN), Figures.count(FailureLog.KEPT));
        }
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
