package org.jspdl.pipeline.mixture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.jspdl.json.Json;
import org.jspdl.pipeline.internal.live.LiveRun;
import org.jspdl.pipeline.internal.recipe.LiveWeights;

/// Changes of weights that are read from a file at the steps of a run, see [LiveMixture#watch(Path)]. Used by the
/// consumer's thread.
final class WeightFile implements LiveRun.Watcher {
    private static final long LARGEST = 16L << 20;
    /// How far behind the step at which a rank learns of a change it proposes to make it: others are that far ahead
    /// of it at most, or wait.
    private static final long MARGIN = 8;
    /// How long a rank waits for the others at the step that it has proposed.
    private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(10);

    private final LiveRun<?> run;
    private final Path file;
    private final int rank;
    private final int worldSize;
    /// Lines that were read, and their bytes.
    private int lines;
    /// Those that are not blank.
    private int changes;
    private long bytes;
    /// Lines without a step, on which the ranks have not agreed yet.
    private final List<Proposal> open = new ArrayList<>();
    /// Whether proposals of this rank can only be of an earlier run.
    private boolean isFresh;

    /// @param line  its number, from 1
    /// @param limit what this rank has proposed, and does not pass
    private record Proposal(int line, double[] weights, long limit) {}

    WeightFile(LiveRun<?> run, Path file, int rank, int worldSize) {
        this.run = run;
        this.file = file.toAbsolutePath();
        this.rank = rank;
        this.worldSize = worldSize;
        this.isFresh = !run.isResumed();
    }

    @Override
    public void at(long step) {
        try {
            if (isFresh) {
                refuseLeftovers();
                isFresh = false;
            }
            read(step);
            while (!open.isEmpty() && isAgreed(open.getFirst(), step)) {
                open.removeFirst();
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "changes of weights can't be read from " + file + ": " + unreadable.getMessage(), unreadable);
        }
    }

    /// Proposals that an earlier run has left would decide when the weights of this one change. A rank alone takes
    /// its own away. Of several, others may have read them already, so they are refused.
    private void refuseLeftovers() throws IOException {
        Path folder = file.getParent();
        Pattern own = Pattern.compile(Pattern.quote(file.getFileName() + ".") + "\\d+" + Pattern.quote(ofRank(rank)));
        List<Path> left = new ArrayList<>();
        if (folder != null && Files.isDirectory(folder)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(
                    folder, each -> own.matcher(each.getFileName().toString()).matches())) {
                found.forEach(left::add);
            } catch (DirectoryIteratorException unreadable) {
                throw unreadable.getCause();
            }
        }
        if (!left.isEmpty() && worldSize > 1) {
            throw new IllegalStateException(left.getFirst() + " is of an earlier run, and would decide at which step"
                    + " weights of this one change: before a run begins anew, remove " + file.getFileName()
                    + ".*.rank-*, or name another file");
        }
        for (Path each : left) {
            Files.delete(each);
        }
    }

    private void read(long step) throws IOException {
        long size;
        try {
            BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
            if (!found.isRegularFile()) { // of a pipe nothing would ever be seen
                throw new IllegalStateException(file + " is no file: changes of weights are added at the end of one");
            }
            size = found.size();
        } catch (NoSuchFileException none) {
            return;
        }
        if (size == bytes) {
            return;
        }
        if (size < bytes || size > LARGEST) {
            throw new IllegalStateException(file + " has " + size + " bytes, and must have "
                    + (size < bytes ? "at least the " + bytes + " that were read" : "at most " + LARGEST)
                    + ": add changes of weights at its end");
        }
        String text = Files.readString(file);
        int whole = text.lastIndexOf('\n') + 1;
        List<String> all = text.substring(0, whole).lines().toList();
        for (String line : all.subList(Math.min(lines, all.size()), all.size())) {
            lines++;
            if (!line.isBlank()) {
                changes++;
                take(line, step);
            }
        }
        bytes = text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length;
    }

    private void take(String line, long step) throws IOException {
        double[] weights;
        OptionalLong from;
        try {
            if (!(Json.parse(line) instanceof Map<?, ?> map)
                    || !(map.get("weights") instanceof List<?> list)
                    || !Set.of("weights", "step").containsAll(map.keySet())) {
                throw new IllegalArgumentException("a change of weights is {\"step\": S, \"weights\": [W, ...]}");
            }
            from = map.containsKey("step") ? OptionalLong.of(step(map.get("step"))) : OptionalLong.empty();
            weights = list.stream()
                    .mapToDouble(weight -> {
                        if (weight instanceof Number number) {
                            return number.doubleValue();
                        }
                        throw new IllegalArgumentException("a weight must be a number but was " + weight);
                    })
                    .toArray();
        } catch (IllegalArgumentException malformed) {
            throw wrong(lines, malformed);
        }
        if (from.isEmpty()) {
            propose(weights, step);
        } else {
            change(lines, from.getAsLong(), weights);
        }
    }

    private static long step(Object json) {
        if (json instanceof Long step && step >= 0) {
            return step;
        }
        throw new IllegalArgumentException("a step must be a whole number from 0 on but was " + json);
    }

    private IllegalStateException wrong(int line, RuntimeException why) {
        return new IllegalStateException(file + ", line " + line + ": " + why.getMessage(), why);
    }

    /// Makes a change, unless the run has made it already, as one that resumes has.
    private void change(int line, long from, double[] weights) {
        for (LiveWeights.Change made : run.weights().changes()) {
            if (made.step() == from && made.weights().equals(list(weights))) {
                return;
            }
        }
        try {
            run.change(from, weights);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            throw wrong(line, refused);
        }
    }

    private static List<Double> list(double[] weights) {
        return Arrays.stream(weights).boxed().toList();
    }

    private void propose(double[] weights, long step) throws IOException {
        List<LiveWeights.Change> made = run.weights().changes();
        if (changes <= made.size() && made.get(changes - 1).weights().equals(list(weights))) {
            return; // an earlier process has agreed on it
        }
        Path own = proposal(lines, rank);
        long limit = step + (worldSize > 1 ? MARGIN : 0);
        if (Files.exists(own)) {
            limit = proposed(own, weights); // by the process before this one, of the same run
        } else {
            Path fresh = own.resolveSibling(own.getFileName() + ".new");
            Files.writeString(fresh, Json.write(Map.of("step", limit, "weights", list(weights))) + "\n");
            Files.move(fresh, own, StandardCopyOption.ATOMIC_MOVE);
        }
        open.add(new Proposal(lines, weights, limit));
    }

    private Path proposal(int line, int of) {
        return file.resolveSibling(file.getFileName() + "." + line + ofRank(of));
    }

    private String ofRank(int of) {
        return ".rank-" + of + "-of-" + worldSize;
    }

    /// The step of a proposal for these weights.
    private static long proposed(Path of, double[] weights) throws IOException {
        if (Files.size(of) > LARGEST) {
            throw new IllegalStateException(of + " is no proposal of a step");
        }
        Object json;
        try {
            json = Json.parse(Files.readString(of));
        } catch (IllegalArgumentException other) {
            throw new IllegalStateException(of + " is no proposal of a step: " + other.getMessage(), other);
        }
        if (!(json instanceof Map<?, ?> map) || !(map.get("step") instanceof Long step)) {
            throw new IllegalStateException(of + " is no proposal of a step, or one of another version: remove those of"
                    + " all ranks before a run begins anew");
        }
        List<Double> said = map.get("weights") instanceof List<?> all
                ? all.stream()
                        .map(each -> each instanceof Number number ? number.doubleValue() : Double.NaN)
                        .toList()
                : List.of();
        if (!said.equals(list(weights))) {
            throw new IllegalStateException(of + " is of another run: it is for the weights " + map.get("weights")
                    + ", and the line says " + list(weights) + "; remove those of all ranks before a run begins anew");
        }
        return step;
    }

    /// Whether all ranks have proposed a step, of which the largest holds. At the step that this rank has proposed
    /// it waits for the others.
    private boolean isAgreed(Proposal proposal, long step) throws IOException {
        long began = System.nanoTime();
        while (true) {
            List<Integer> missing = new ArrayList<>();
            long largest = 0;
            for (int each = 0; each < worldSize; each++) {
                Path of = proposal(proposal.line, each);
                if (Files.exists(of)) {
                    largest = Math.max(largest, proposed(of, proposal.weights));
                } else {
                    missing.add(each);
                }
            }
            if (missing.isEmpty()) {
                change(proposal.line, largest, proposal.weights);
                return true;
            }
            if (step < proposal.limit) {
                return false;
            }
            if (System.nanoTime() - began > PATIENCE_NANOS) {
                throw new IllegalStateException(file + ", line " + proposal.line + ": ranks " + missing + " of "
                        + worldSize + " have not said from which step on they can change weights, and rank " + rank
                        + " waits at step " + step);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException(
                        "interrupted while the ranks agree on a step for line " + proposal.line + " of " + file);
            }
        }
    }
}
