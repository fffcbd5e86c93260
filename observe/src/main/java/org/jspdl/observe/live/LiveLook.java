package org.jspdl.observe.live;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.process.BriefUsage;
import org.jspdl.stats.LinkStats;
import org.jspdl.stats.PipelineStats;
import org.jspdl.stats.StageStats;

/// What a run tells of itself at one moment; counters since its start. Times are seconds.
///
/// @param run        tells the runs of a user apart
/// @param pid        the process
/// @param pipeline   the pipeline's name
/// @param elapsed    since the start of the run
/// @param delivered  batches
/// @param failed     items
/// @param starved    time the consumer waited
/// @param process    what the process uses
/// @param stages     source first
/// @param tuner      what the tuner does: `off`, `warming_up`, `measuring`, `trying` or `settled`
/// @param decisions  the tuner's last, newest last
/// @param abilities  what the run offers beside looks at it
public record LiveLook(
        String run,
        long pid,
        String pipeline,
        double elapsed,
        long delivered,
        long failed,
        double starved,
        Usage process,
        List<Stage> stages,
        String tuner,
        List<String> decisions,
        Set<Live.Ability> abilities) {
    /// What a process uses.
    ///
    /// @param at         seconds since any moment
    /// @param cpu        processor time
    /// @param machine    processor time of all processes; negative if it is not known
    /// @param processors how many there are
    /// @param resident   bytes of resident memory; negative if it is not known
    /// @param pools      bytes in buffer pools
    public record Usage(double at, double cpu, double machine, int processors, long resident, long pools) {}

    /// A stage, with the queue behind it.
    ///
    /// @param queued   items that wait behind it
    /// @param capacity the most that can
    public record Stage(
            String name,
            String placement,
            int workers,
            long completed,
            long failed,
            double busy,
            double starved,
            double backpressured,
            double waitingForCpu,
            double mean,
            double p99,
            int queued,
            int capacity) {}

    static LiveLook of(
            String run, Set<Live.Ability> abilities, PipelineStats stats, List<String> decisions, BriefUsage usage) {
        List<Stage> stages = new ArrayList<>(stats.stages().size());
        for (StageStats stage : stats.stages()) {
            stages.add(stage(stage, stats.links()));
        }
        return new LiveLook(
                run,
                ProcessHandle.current().pid(),
                stats.pipeline(),
                seconds(stats.elapsed().toNanos()),
                stats.delivered(),
                stats.skipped(),
                seconds(stats.consumerWait().toNanos()),
                new Usage(
                        seconds(usage.at()),
                        seconds(usage.cpuNanos()),
                        usage.busyNanos() < 0 ? -1 : seconds(usage.busyNanos()),
                        usage.processors(),
                        usage.resident(),
                        usage.pools()),
                stages,
                stats.tuning().state().name().toLowerCase(Locale.ROOT),
                decisions,
                Set.copyOf(abilities));
    }

    private static Stage stage(StageStats stage, List<LinkStats> links) {
        int queued = 0;
        int capacity = 0;
        boolean own = isOwn(links, stage.name());
        for (LinkStats link : links) {
            if (own ? link.name().equals(stage.name()) : isBranch(link.name(), stage.name())) {
                queued += link.size();
                capacity += link.capacity();
            }
        }
        return new Stage(
                stage.name(),
                stage.placement(),
                stage.concurrency(),
                stage.completed(),
                stage.failed(),
                seconds(stage.busy().toNanos()),
                seconds(stage.starved().toNanos()),
                seconds(stage.backpressured().toNanos()),
                seconds(stage.waitingForCpu().toNanos()),
                seconds(stage.timePerItem().toNanos()),
                seconds(stage.latency().p99().toNanos()),
                queued,
                capacity);
    }

    /// Links are called as the stage before them, those of the branches of a route `ROUTE/KEY`.
    private static boolean isOwn(List<LinkStats> links, String stage) {
        for (LinkStats link : links) {
            if (link.name().equals(stage)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isBranch(String link, String stage) {
        return link.length() > stage.length() && link.charAt(stage.length()) == '/' && link.startsWith(stage);
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }

    /// One JSON object; [#parse] reads it.
    public String toJson() {
        JsonWriter json = JsonWriter.compact().beginObject();
        json.put("run", run)
                .put("pid", pid)
                .put("pipeline", pipeline)
                .put("elapsed_seconds", elapsed)
                .put("delivered", delivered)
                .put("failed", failed)
                .put("consumer_starved_seconds", starved)
                .beginObject("process")
                .put("at_seconds", process.at)
                .put("cpu_seconds", process.cpu)
                .put("machine_seconds", process.machine)
                .put("processors", process.processors)
                .put("resident_bytes", process.resident)
                .put("pool_bytes", process.pools)
                .endObject()
                .beginArray("stages");
        for (Stage stage : stages) {
            json.beginObject()
                    .put("name", stage.name)
                    .put("placement", stage.placement)
                    .put("workers", stage.workers)
                    .put("completed", stage.completed)
                    .put("failed", stage.failed)
                    .put("busy_seconds", stage.busy)
                    .put("starved_seconds", stage.starved)
                    .put("backpressured_seconds", stage.backpressured)
                    .put("waiting_for_cpu_seconds", stage.waitingForCpu)
                    .put("mean_seconds", stage.mean)
                    .put("p99_seconds", stage.p99)
                    .put("queued", stage.queued)
                    .put("capacity", stage.capacity)
                    .endObject();
        }
        json.endArray().put("tuner", tuner).beginArray("decisions");
        decisions.forEach(json::value);
        json.endArray().beginArray("abilities");
        for (Live.Ability ability : Live.Ability.values()) {
            if (abilities.contains(ability)) {
                json.value(ability.name().toLowerCase(Locale.ROOT));
            }
        }
        return json.endArray().endObject().document();
    }

    /// Reads what [#toJson] has written. Members that are not known are skipped, those that are missing are zero.
    ///
    /// @throws IllegalArgumentException if it is something else
    public static LiveLook parse(String text) {
        LiveFields fields = LiveFields.parse(text);
        LiveFields process = fields.member("process");
        return new LiveLook(
                fields.text("run"),
                fields.whole("pid"),
                fields.text("pipeline"),
                fields.number("elapsed_seconds"),
                fields.whole("delivered"),
                fields.whole("failed"),
                fields.number("consumer_starved_seconds"),
                new Usage(
                        process.number("at_seconds"),
                        process.number("cpu_seconds"),
                        process.number("machine_seconds"),
                        (int) process.whole("processors"),
                        process.whole("resident_bytes"),
                        process.whole("pool_bytes")),
                fields.objects("stages").stream().map(LiveLook::stage).toList(),
                fields.text("tuner"),
                fields.texts("decisions"),
                abilities(fields.texts("abilities")));
    }

    private static Set<Live.Ability> abilities(List<String> names) {
        return Arrays.stream(Live.Ability.values())
                .filter(ability -> names.contains(ability.name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stage stage(LiveFields stage) {
        return new Stage(
                stage.text("name"),
                stage.text("placement"),
                (int) stage.whole("workers"),
                stage.whole("completed"),
                stage.whole("failed"),
                stage.number("busy_seconds"),
                stage.number("starved_seconds"),
                stage.number("backpressured_seconds"),
                stage.number("waiting_for_cpu_seconds"),
                stage.number("mean_seconds"),
                stage.number("p99_seconds"),
                (int) stage.whole("queued"),
                (int) stage.whole("capacity"));
    }
}
