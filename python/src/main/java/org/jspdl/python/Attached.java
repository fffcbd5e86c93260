package org.jspdl.python;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// What the trainers of each name have asked for: those that share a name ask for the same. Thread-safe.
final class Attached {
    /// What trainers of one name may differ in.
    private static final Set<String> OWN =
            Set.of("rank", "parent", "prefetch", "resume_from", "trace", "compute_threads", "slot_bytes");

    private record Entry(Map<String, String> options, int trainers) {}

    private final Map<String, Entry> byName = new HashMap<>();

    /// Counts a trainer in; says why it cannot attach, else nothing.
    ///
    /// @param said what it asks for; its `share` is the name
    synchronized String enters(Map<String, String> said) {
        Map<String, String> options = common(said);
        Entry there = byName.get(name(said));
        if (there != null) {
            String difference = difference(there.options(), options);
            if (!difference.isEmpty()) {
                return "share='" + name(said) + "' is a loader with other options already: " + difference
                        + ". Use another name, or the same options";
            }
        }
        byName.put(name(said), new Entry(options, there == null ? 1 : there.trainers() + 1));
        return "";
    }

    /// Counts a trainer out that was counted in.
    synchronized void leaves(Map<String, String> said) {
        byName.computeIfPresent(
                name(said),
                (name, entry) -> entry.trainers() == 1 ? null : new Entry(entry.options(), entry.trainers() - 1));
    }

    private static String name(Map<String, String> said) {
        return said.getOrDefault("share", "");
    }

    private static Map<String, String> common(Map<String, String> said) {
        Map<String, String> options = new HashMap<>(said);
        options.keySet().removeAll(OWN);
        return options;
    }

    private static String difference(Map<String, String> there, Map<String, String> asked) {
        Set<String> names = new LinkedHashSet<>(there.keySet());
        names.addAll(asked.keySet());
        for (String name : names.stream().sorted().toList()) {
            String one = there.get(name);
            String other = asked.get(name);
            if (!Objects.equals(one, other)) {
                return name.equals("plan") && one != null && other != null
                        ? lineOf(one, other)
                        : name + " is " + described(one) + " there, and " + described(other) + " here";
            }
        }
        return "";
    }

    /// The first line in which two plans differ.
    private static String lineOf(String one, String other) {
        List<String> there = one.lines().map(String::strip).toList();
        List<String> here = other.lines().map(String::strip).toList();
        int line = 0;
        while (line < there.size() && line < here.size() && there.get(line).equals(here.get(line))) {
            line++;
        }
        return "the plan has " + (line < there.size() ? there.get(line) : "no more") + " there, and "
                + (line < here.size() ? here.get(line) : "no more") + " here";
    }

    private static String described(@org.jspecify.annotations.Nullable String value) {
        return value == null ? "not given" : "'" + value + "'";
    }
}
