package org.jspdl.plan.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanException;
import org.jspdl.plan.internal.DocumentReader;
import org.jspdl.plan.internal.JsonDocumentReader;
import org.jspdl.plan.internal.LocatedNode;
import org.jspdl.plan.internal.LocatedNode.Field;
import org.jspdl.plan.internal.LocatedNode.Fields;
import org.jspdl.plan.internal.LocatedNode.Items;
import org.jspdl.plan.internal.LocatedNode.Text;
import org.jspdl.plan.internal.LocatedNode.Whole;
import org.jspdl.plan.internal.PlanKeywords;
import org.jspdl.plan.internal.SourceLocation;
import org.jspecify.annotations.Nullable;

/// How many workers, how much room and how many threads a plan says, and other numbers written into its text. Comments
/// and layout stay as they are. Immutable.
///
/// @param workers        by stage, for steps with `cpu` or `io` whose name no other step has
/// @param buffers        by stage
/// @param prefetch       batches that may wait for the consumer; empty for what is there
/// @param computeThreads empty for what is there
public record PlanNumbers(
        Map<String, Integer> workers, Map<String, Integer> buffers, OptionalInt prefetch, OptionalInt computeThreads) {
    private static final Pattern SCALAR = Pattern.compile("[A-Za-z0-9_]+|\"[A-Za-z]+\"|'[A-Za-z]+'");

    /// Copies the maps.
    public PlanNumbers {
        workers = Map.copyOf(workers);
        buffers = Map.copyOf(buffers);
    }

    private record Edit(int from, int to, String text) {}

    /// The stages of the plan whose numbers can be written, in the order of their names.
    ///
    /// @throws PlanException if the text is not YAML or JSON
    /// @throws IllegalArgumentException if it is no map
    public static Set<String> stages(String name, String text) {
        return new TreeSet<>(steps(root(name, text)).keySet());
    }

    /// The plan's `prefetch`, whether it is written or not.
    ///
    /// @throws PlanException if the text is not YAML or JSON
    /// @throws IllegalArgumentException if it is no map
    public static int prefetchOf(String name, String text) {
        return number(root(name, text).fields(), PlanKeywords.PREFETCH).orElse(Plan.DEFAULT_PREFETCH);
    }

    /// The text of the plan `name` with these numbers.
    ///
    /// @throws PlanException if the text is not YAML or JSON
    /// @throws IllegalArgumentException if a number cannot be written, such as one that is repeated by an alias
    public String in(String name, String text) {
        Fields root = root(name, text);
        Map<String, Fields> steps = steps(root);
        List<Edit> edits = new ArrayList<>();
        workers.forEach((stage, n) -> edits.add(replaced(name, text, threads(name, steps, stage), n)));
        buffers.forEach((stage, n) -> {
            Field threads = threads(name, steps, stage);
            edits.add(written(name, text, step(name, steps, stage), PlanKeywords.BUFFER, threads, n));
        });
        Field first = root.fields().firstEntry().getValue();
        prefetch.ifPresent(n -> edits.add(written(name, text, root, PlanKeywords.PREFETCH, first, n)));
        computeThreads.ifPresent(n -> edits.add(written(name, text, root, PlanKeywords.COMPUTE_THREADS, first, n)));
        StringBuilder changed = new StringBuilder(text);
        edits.stream()
                .sorted(Comparator.comparingInt(Edit::from).reversed())
                .forEach(edit -> changed.replace(edit.from, edit.to, edit.text));
        check(name, changed.toString());
        return changed.toString();
    }

    /// What was written is read again: the text may be of a kind that this class does not know.
    private void check(String name, String changed) {
        Fields root = root(name, changed);
        Map<String, Fields> steps = steps(root);
        boolean right = workers.entrySet().stream()
                        .allMatch(
                                each -> has(threads(name, steps, each.getKey()).value(), each.getValue()))
                && buffers.entrySet().stream()
                        .allMatch(each -> number(
                                        step(name, steps, each.getKey()).fields(), PlanKeywords.BUFFER)
                                .equals(Optional.of(each.getValue())));
        if (!right
                || (prefetch.isPresent() && prefetchOf(name, changed) != prefetch.getAsInt())
                || (computeThreads.isPresent()
                        && number(root.fields(), PlanKeywords.COMPUTE_THREADS).orElse(0)
                                != computeThreads.getAsInt())) {
            throw new IllegalArgumentException(
                    name + ": the numbers cannot be written into the plan; write them by hand: " + this);
        }
    }

    private static boolean has(LocatedNode value, int n) {
        return value instanceof Whole whole && whole.value() == n;
    }

    private static Optional<Integer> number(Map<String, Field> fields, String key) {
        Field field = fields.get(key);
        return field != null && field.value() instanceof Whole whole
                ? Optional.of((int) whole.value())
                : Optional.empty();
    }

    private static Fields root(String name, String text) {
        Plan _ = Plan.of(name, text); // which says where a text is wrong
        DocumentReader.Document document =
                name.endsWith(".json") ? JsonDocumentReader.read(text) : DocumentReader.read(text);
        if (document.root() instanceof Fields fields && !fields.fields().isEmpty()) {
            return fields;
        }
        throw new IllegalArgumentException(name + ": a plan must be a map");
    }

    private static Field threads(String name, Map<String, Fields> steps, String stage) {
        Fields step = step(name, steps, stage);
        Field cpu = step.fields().get(PlanKeywords.CPU);
        return cpu != null ? cpu : Objects.requireNonNull(step.fields().get(PlanKeywords.IO));
    }

    private static Fields step(String name, Map<String, Fields> steps, String stage) {
        Fields step = steps.get(stage);
        if (step == null) {
            throw new IllegalArgumentException(
                    name + ": there is not one step named '" + stage + "' with 'cpu' or 'io', only " + steps.keySet());
        }
        return step;
    }

    /// The steps with `cpu` or `io` by their names, but for names that several have.
    private static Map<String, Fields> steps(Fields root) {
        Map<String, List<Fields>> found = new HashMap<>();
        addFlow(root, found);
        Map<String, Fields> steps = new HashMap<>();
        found.forEach((name, of) -> {
            if (of.size() == 1
                    && (of.getFirst().fields().containsKey(PlanKeywords.CPU)
                            || of.getFirst().fields().containsKey(PlanKeywords.IO))) {
                steps.put(name, of.getFirst());
            }
        });
        return steps;
    }

    private static void addFlow(LocatedNode flow, Map<String, List<Fields>> found) {
        if (flow instanceof Fields fields) {
            addSteps(fields.fields().get(PlanKeywords.STEPS), found);
            if (value(fields, PlanKeywords.SOURCE) instanceof Fields source) {
                for (String joined : PlanKeywords.JOINED) {
                    if (value(source, joined) instanceof Fields of
                            && value(of, PlanKeywords.OF) instanceof Items flows) {
                        flows.items().forEach(each -> addFlow(each, found));
                    }
                }
            }
        }
    }

    private static @Nullable LocatedNode value(Fields fields, String key) {
        Field field = fields.fields().get(key);
        return field == null ? null : field.value();
    }

    private static void addSteps(@Nullable Field steps, Map<String, List<Fields>> found) {
        if (steps == null || !(steps.value() instanceof Items items)) {
            return;
        }
        for (LocatedNode item : items.items()) {
            if (item instanceof Fields step) {
                for (Field field : step.fields().values()) {
                    if (!PlanKeywords.SETTINGS.contains(field.name())) {
                        String name = value(step, PlanKeywords.NAME) instanceof Text(var _, String given)
                                ? given
                                : field.name();
                        found.computeIfAbsent(name, _ -> new ArrayList<>()).add(step);
                        addBranches(field, found);
                        break;
                    }
                }
            }
        }
    }

    private static void addBranches(Field operation, Map<String, List<Fields>> found) {
        boolean routes =
                operation.name().equals(PlanKeywords.ROUTE) || operation.name().equals(PlanKeywords.ROUTE_ELEMENTS);
        if (routes && operation.value() instanceof Fields route) {
            addSteps(route.fields().get(PlanKeywords.OTHERWISE), found);
            if (value(route, PlanKeywords.WHEN) instanceof Fields when) {
                when.fields().values().forEach(branch -> addSteps(branch, found));
            }
        }
    }

    /// A number of a field that may be there; else it is written before `beside`.
    private static Edit written(String name, String text, Fields map, String key, Field beside, int n) {
        Field there = map.fields().get(key);
        if (there != null) {
            return replaced(name, text, there, n);
        }
        int at = offset(text, beside.location());
        boolean flows = text.charAt(offset(text, map.location())) == '{';
        String quoted = text.charAt(at) == '"' ? '"' + key + '"' : key;
        String rest = flows ? ", " : "\n" + " ".repeat(beside.location().column() - 1);
        return new Edit(at, at, quoted + ": " + n + rest);
    }

    private static Edit replaced(String name, String text, Field field, int n) {
        int at = offset(text, field.value().location());
        Matcher scalar = SCALAR.matcher(text).region(at, text.length());
        if (!scalar.lookingAt()) {
            throw new IllegalArgumentException(name + ":" + field.location().line() + ": '" + field.name()
                    + "' cannot be changed here; write " + n + " by hand");
        }
        return new Edit(at, scalar.end(), String.valueOf(n));
    }

    private static int offset(String text, SourceLocation location) {
        int start = 0;
        for (int line = 1; line < location.line(); line++) {
            start = text.indexOf('\n', start) + 1;
        }
        return text.offsetByCodePoints(start, location.column() - 1);
    }
}
