package org.jspdl.architecture;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The rooms of the engine, and which of them each may use.
///
/// A room uses those below it alone. All of them may use the public packages `pipeline`, `source` and `stats`, but for
/// those that need none.
final class EngineArrows {
    static final String ENGINE = "org.jspdl.pipeline.internal.";

    /// The rooms that public types may use: a description, what runs it, and a checkpoint.
    static final Set<String> OPEN = Set.of(ENGINE + "recipe", ENGINE + "run", ENGINE + "checkpoint");

    private static final Set<String> PUBLIC = Set.of("org.jspdl.pipeline", "org.jspdl.source", "org.jspdl.stats");

    private EngineArrows() {}

    /// For each room: what it may use beside itself.
    static Map<String, Set<String>> rooms() {
        Map<String, Set<String>> rooms = new TreeMap<>();
        add(rooms, "compute", Set.of());
        add(rooms, "flight", Set.of());
        add(rooms, "checkpoint", Set.of());
        add(rooms, "recipe", Set.of("checkpoint"));
        add(rooms, "again", Set.of("recipe", "checkpoint"));
        add(rooms, "live", Set.of("recipe", "checkpoint"));
        add(rooms, "lineage", Set.of("checkpoint"));
        add(rooms, "failure", Set.of("lineage", "checkpoint"));
        add(rooms, "link", Set.of("lineage"));
        add(rooms, "stage", Set.of("link", "lineage", "failure", "checkpoint", "recipe", "compute", "flight"));
        add(rooms, "schedule", Set.of("stage", "compute"));
        add(rooms, "function", Set.of("stage", "link", "lineage", "failure", "recipe", "compute", "flight"));
        add(rooms, "group", Set.of("stage", "link", "lineage", "failure", "checkpoint", "recipe"));
        add(rooms, "join", Set.of("stage", "link", "lineage", "failure", "checkpoint", "recipe"));
        add(rooms, "tune", Set.of());
        Objects.requireNonNull(rooms.get(ENGINE + "tune")).addAll(List.of("org.jspdl.memory", "org.jspdl.stats.model"));
        Set<String> all = new TreeSet<>();
        rooms.keySet().forEach(room -> all.add(room.substring(ENGINE.length())));
        add(rooms, "run", all);
        return rooms;
    }

    private static void add(Map<String, Set<String>> rooms, String room, Set<String> below) {
        Set<String> used = new TreeSet<>();
        if (!room.equals("compute")) {
            used.addAll(PUBLIC);
        }
        below.forEach(each -> used.add(ENGINE + each));
        rooms.put(ENGINE + room, used);
    }
}
