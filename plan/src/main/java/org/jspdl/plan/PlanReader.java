package org.jspdl.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspdl.pipeline.ByteBudget;
import org.jspdl.pipeline.MixEnd;
import org.jspdl.plan.Flow.Start;
import org.jspdl.plan.PlanNode.Fields;
import org.jspdl.plan.PlanNode.Items;

/// Makes a plan of a document. What cannot be read is a problem, and is replaced so that the rest can be checked; a
/// part whose own path carries a problem was not understood. Used once.
final class PlanReader {
    private static final Set<String> FLOW = Set.of(Words.SOURCE, Words.STEPS);
    private static final Set<String> PLAN = Set.of(
            Words.NAME,
            Words.SOURCE,
            Words.STEPS,
            Words.SINK,
            Words.EPOCHS,
            Words.SEED,
            Words.COMPUTE_THREADS,
            Words.FAILURE,
            Words.QUARANTINE,
            Words.MEMORY_BUDGET);
    private static final Set<String> BUDGET = Set.of("bytes", "item");
    private static final Call UNREAD = Call.of("");

    private final Reading reading = new Reading();
    private final StepReader steps = new StepReader(reading);

    List<Problem> problems() {
        return reading.problems();
    }

    Plan plan(PlanNode document) {
        PlanPath path = PlanPath.ROOT;
        Map<String, PlanNode> fields = reading.fields(path, document, "a plan", PLAN);
        boolean readable = document instanceof Fields;
        return new Plan(
                reading.value(path, fields, Words.NAME, Kind.text()).orElse("plan"),
                readable ? flow(path, fields) : new Flow(new Start.From(UNREAD), List.of()),
                reading.value(path, fields, Words.SINK, Kind.count(1, Stage.MOST_WAITING))
                        .orElse(Plan.DEFAULT_SINK),
                running(path, fields));
    }

    private Running running(PlanPath path, Map<String, PlanNode> fields) {
        Running defaults = Running.once();
        Optional<Integer> threads =
                reading.value(path, fields, Words.COMPUTE_THREADS, Kind.count(1, Running.MOST_THREADS));
        return new Running(
                reading.value(path, fields, Words.EPOCHS, Kind.whole(1, Long.MAX_VALUE))
                        .orElse(defaults.epochs()),
                reading.value(path, fields, Words.SEED, Kind.whole(Long.MIN_VALUE, Long.MAX_VALUE))
                        .orElse(defaults.seed()),
                threads.map(OptionalInt::of).orElseGet(OptionalInt::empty),
                steps.failure(path, fields).orElse(defaults.failure()),
                reading.value(path, fields, Words.QUARANTINE, Kind.text()),
                memoryBudget(path, fields));
    }

    private Optional<ByteBudget> memoryBudget(PlanPath plan, Map<String, PlanNode> fields) {
        PlanNode node = fields.get(Words.MEMORY_BUDGET);
        if (!(node instanceof Fields)) {
            return reading.value(plan, fields, Words.MEMORY_BUDGET, Kind.bytes())
                    .map(bytes -> new ByteBudget(bytes, 0));
        }
        PlanPath path = plan.field(Words.MEMORY_BUDGET);
        Map<String, PlanNode> given = reading.fields(path, node, "'memory-budget'", BUDGET);
        if (!given.containsKey("bytes")) {
            reading.add(Problem.name(
                    path, "'memory-budget' needs 'bytes', " + Kind.bytes().expected()));
        }
        long bytes = reading.value(path, given, "bytes", Kind.bytes()).orElse(Long.MAX_VALUE);
        long item = reading.value(path, given, "item", Kind.bytes()).orElse(0L);
        if (item > bytes) {
            reading.add(Problem.value(
                    path.field("item"), "one item of " + item + " bytes does not fit a budget of " + bytes));
            return Optional.empty();
        }
        return Optional.of(new ByteBudget(bytes, item));
    }

    private Flow flow(PlanPath path, Map<String, PlanNode> fields) {
        PlanNode source = fields.get(Words.SOURCE);
        Start start = new Start.From(UNREAD);
        if (source == null) {
            // Said at the source's own path, which marks the source as not understood.
            reading.add(Problem.value(path.field(Words.SOURCE), "a 'source' is missing"));
        } else {
            start = start(path.field(Words.SOURCE), source);
        }
        return new Flow(start, steps.steps(path.field(Words.STEPS), reading.items(path, fields, Words.STEPS)));
    }

    private Start start(PlanPath path, PlanNode source) {
        Optional<Map.Entry<String, PlanNode>> joined = source instanceof Fields(var fields) && fields.size() == 1
                ? Optional.of(fields.firstEntry())
                : Optional.empty();
        String word = joined.map(Map.Entry::getKey).orElse("");
        return switch (word) {
            case Words.MERGE, Words.ROUND_ROBIN, Words.MIX ->
                joined(path, word, joined.orElseThrow().getValue());
            default -> new Start.From(reading.call(path, "the source", source).orElse(UNREAD));
        };
    }

    private Start joined(PlanPath source, String word, PlanNode node) {
        PlanPath path = source.field(word);
        Set<String> known = switch (word) {
            case Words.MERGE -> Set.of("of");
            case Words.ROUND_ROBIN -> Set.of("of", "end");
            default -> Set.of("of", "end", "seed", "weights");
        };
        if (!(node instanceof Fields(var given)) || !(given.get("of") instanceof Items(var parts)) || parts.isEmpty()) {
            reading.add(Problem.value(source, "'" + word + "' needs 'of', a list of at least one flow"));
            return new Start.From(UNREAD);
        }
        Map<String, PlanNode> fields = reading.fields(path, node, "'" + word + "'", known);
        List<Flow> flows = flows(path, fields);
        MixEnd end =
                reading.value(path, fields, "end", Kind.choice(MixEnd.class)).orElse(MixEnd.ALL_EXHAUSTED);
        return switch (word) {
            case Words.MERGE -> new Start.Merge(flows);
            case Words.ROUND_ROBIN -> new Start.RoundRobin(end, flows);
            default -> mix(path, fields, end, flows);
        };
    }

    private List<Flow> flows(PlanPath path, Map<String, PlanNode> fields) {
        List<PlanNode> nodes = reading.items(path, fields, "of");
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            PlanPath at = path.field("of").item(i);
            flows.add(flow(at, reading.fields(at, nodes.get(i), "a flow", FLOW)));
        }
        return flows;
    }

    private Start mix(PlanPath path, Map<String, PlanNode> fields, MixEnd end, List<Flow> flows) {
        List<Double> equal = flows.stream().map(flow -> 1.0).toList();
        List<Double> weights = reading.value(path, fields, "weights", Kind.list(Kind.decimal(0, Double.MAX_VALUE)))
                .orElse(equal);
        boolean fits = weights.size() == flows.size() && weights.stream().anyMatch(weight -> weight > 0);
        if (!fits) {
            reading.add(Problem.value(
                    path.field("weights"),
                    "'weights' must be one for each of the " + flows.size() + " flows, and one above 0, but were "
                            + weights));
        }
        long seed = reading.value(path, fields, "seed", Kind.whole(Long.MIN_VALUE, Long.MAX_VALUE))
                .orElse(0L);
        return new Start.Mix(seed, fits ? weights : equal, end, flows);
    }
}
