package org.jspdl.pipeline.internal.tune;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// The limits of the control groups of this process, of version 1 and 2: its own group's and those of all groups around
/// it. A container sees its own group as the root, so folders that are missing there are skipped.
///
/// The files are those of Linux's documents `admin-guide/cgroup-v1` and `cgroup-v2`.
final class ControlGroups {
    /// Version 1 has a number near 2^63 for no limit.
    private static final long UNLIMITED = 1L << 60;

    private final List<Group> memory = new ArrayList<>();
    private final List<Group> cpu = new ArrayList<>();

    private record Group(Path folder, boolean second) {}

    /// What a limit of memory leaves.
    ///
    /// @param limitBytes the limit
    /// @param leftBytes  what is left, file caches that can be dropped included
    record Room(long limitBytes, long leftBytes) {}

    /// @param proc  usually `/proc`
    /// @param mount usually `/sys/fs/cgroup`
    ControlGroups(Path proc, Path mount) {
        for (String line : SmallFile.text(proc.resolve("self/cgroup")).lines().toList()) {
            String[] fields = line.split(":", 3);
            if (fields.length < 3) {
                continue;
            }
            List<String> controllers = List.of(fields[1].split(",", -1));
            if (fields[1].isEmpty()) {
                List<Group> groups = groups(mount, fields[2], true);
                memory.addAll(groups);
                cpu.addAll(groups);
            }
            if (controllers.contains("memory")) {
                memory.addAll(groups(mount.resolve("memory"), fields[2], false));
            }
            if (controllers.contains("cpu")) {
                cpu.addAll(groups(mount.resolve("cpu"), fields[2], false));
            }
        }
    }

    private static List<Group> groups(Path root, String name, boolean second) {
        List<Group> groups = new ArrayList<>();
        @Nullable Path folder = root.resolve(name.replaceFirst("^/+", "")).normalize();
        while (folder != null && folder.startsWith(root)) {
            if (Files.isDirectory(folder)) {
                groups.add(new Group(folder, second));
            }
            folder = folder.getParent();
        }
        return groups;
    }

    /// Of all limits of memory, the one that leaves least; empty if there is none.
    Optional<Room> memory() {
        return memory.stream()
                .flatMap(group -> room(group).stream())
                .min((one, other) -> Long.compare(one.leftBytes, other.leftBytes));
    }

    private static Optional<Room> room(Group group) {
        OptionalLong limit = number(group, group.second ? "memory.max" : "memory.limit_in_bytes");
        OptionalLong used = number(group, group.second ? "memory.current" : "memory.usage_in_bytes");
        if (limit.isEmpty() || used.isEmpty() || limit.getAsLong() >= UNLIMITED) {
            return Optional.empty();
        }
        String statistics = SmallFile.text(group.folder.resolve("memory.stat"));
        long droppable = SmallFile.field(statistics, group.second ? "inactive_file" : "total_inactive_file")
                .orElse(0);
        return Optional.of(new Room(limit.getAsLong(), limit.getAsLong() - Math.max(0, used.getAsLong() - droppable)));
    }

    /// How many processors' time the groups allow; empty if all.
    OptionalDouble processors() {
        return cpu.stream()
                .map(group -> group.second ? quota(group) : oldQuota(group))
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }

    private static OptionalDouble quota(Group group) {
        String[] words = SmallFile.text(group.folder.resolve("cpu.max")).strip().split(" +", -1);
        return words.length < 2
                ? OptionalDouble.empty()
                : ratio(SmallFile.number(words[0]), SmallFile.number(words[1]));
    }

    private static OptionalDouble oldQuota(Group group) {
        return ratio(number(group, "cpu.cfs_quota_us"), number(group, "cpu.cfs_period_us"));
    }

    private static OptionalDouble ratio(OptionalLong quota, OptionalLong period) {
        return quota.isEmpty() || period.isEmpty() || quota.getAsLong() <= 0 || period.getAsLong() <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of((double) quota.getAsLong() / period.getAsLong());
    }

    private static OptionalLong number(Group group, String file) {
        return SmallFile.number(SmallFile.text(group.folder.resolve(file)).strip());
    }
}
