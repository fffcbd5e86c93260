package org.jspdl.data.plan.order;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspdl.data.order.NumberFile;
import org.jspdl.data.order.SampleOrder;

/// `order` of sources: which samples an epoch visits, by files of indices, of weights or of values that say how hard
/// each is.
public final class ChosenSamples {
    private static final String INDICES = "indices";
    private static final String WEIGHTS = "weights";
    private static final String DRAWS = "draws";
    private static final String REPLACEMENT = "replacement";
    private static final String PASSES = "passes";
    private static final String PLACES = "places";
    private static final String CURRICULUM = "curriculum";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String OVER = "over";
    private static final List<String> NAMES =
            List.of(INDICES, WEIGHTS, DRAWS, REPLACEMENT, CURRICULUM, FROM, TO, OVER, PASSES, PLACES);
    /// Of which an order has one at most.
    private static final List<String> KINDS = List.of(INDICES, WEIGHTS, CURRICULUM);

    private ChosenSamples() {}

    /// What `said` means; empty if nothing was said.
    ///
    /// @param folder   where relative paths begin
    /// @param shuffles whether indices come in another order in every epoch
    /// @throws IOException if a file cannot be read or holds something else
    public static Optional<SampleOrder> read(Map<String, String> said, Path folder, boolean shuffles, long seed)
            throws IOException {
        if (said.isEmpty()) {
            return Optional.empty();
        }
        check(said, shuffles);
        try {
            SampleOrder order = pass(said, folder, shuffles, seed);
            order = order.repeated(
                    Math.toIntExact(number(said, PASSES, Integer.MAX_VALUE).orElse(1)));
            OptionalLong places = number(said, PLACES, Long.MAX_VALUE);
            return Optional.of(places.isPresent() ? order.limited(places.getAsLong()) : order);
        } catch (IllegalArgumentException wrong) {
            throw new IOException("'order': " + wrong.getMessage(), wrong);
        }
    }

    private static SampleOrder pass(Map<String, String> said, Path folder, boolean shuffles, long seed)
            throws IOException {
        if (said.containsKey(INDICES)) {
            return listed(NumberFile.indices(file(said, INDICES, folder)), shuffles, seed);
        }
        if (said.containsKey(WEIGHTS)) {
            return weighted(said, NumberFile.numbers(file(said, WEIGHTS, folder)), seed);
        }
        if (said.containsKey(CURRICULUM)) {
            return curriculum(said, NumberFile.numbers(file(said, CURRICULUM, folder)), seed);
        }
        return shuffles ? SampleOrder.allShuffled(seed) : SampleOrder.all();
    }

    /// Samples of which the value is below a limit that rises from `from` to `to` in a straight line, over as many
    /// places of all epochs and ranks as `over` says.
    private static SampleOrder curriculum(Map<String, String> said, double[] values, long seed) throws IOException {
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < values.length; i++) {
            if (!Double.isFinite(values[i])) {
                throw new IOException("number " + i + " of 'curriculum' is " + values[i]
                        + ": values must be finite, one for each sample");
            }
            most = Math.max(most, values[i]);
        }
        double from = decimal(said, FROM);
        double to = said.containsKey(TO) ? decimal(said, TO) : Math.max(from, most);
        long over = number(said, OVER, Long.MAX_VALUE)
                .orElseThrow(() -> new IOException("'curriculum' of 'order' needs 'from', the first limit, and 'over',"
                        + " after how many places it is as high as 'to'"));
        if (to < from) {
            throw new IOException("the limit of a curriculum must not fall but goes from " + from + " to " + to);
        }
        long size = values.length;
        long passes = number(said, PASSES, Integer.MAX_VALUE).orElse(1);
        // an epoch of several passes, or of the first places alone, has so many
        double visited = Math.min((double) passes * size, (double)
                number(said, PLACES, Long.MAX_VALUE).orElse(Long.MAX_VALUE));
        return SampleOrder.curriculum(
                values,
                (pass, place) -> {
                    long epoch = pass / passes;
                    return limit(from, to, (epoch * visited + pass % passes * size + place) / over);
                },
                from + " to " + to + " over " + over + " places",
                seed);
    }

    private static double limit(double from, double to, double share) {
        return share >= 1 ? to : Math.min(to, from + (to - from) * share);
    }

    private static double decimal(Map<String, String> said, String name) throws IOException {
        try {
            double value = Double.parseDouble(said.getOrDefault(name, ""));
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException other) {
            throw new IOException(
                    "'" + name + "' of the 'curriculum' of 'order' must be a number but was '" + said.get(name) + "'",
                    other);
        }
        throw new IOException("'" + name + "' of the 'curriculum' of 'order' must be finite");
    }

    private static void check(Map<String, String> said, boolean shuffles) throws IOException {
        for (String name : said.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IOException("'order' has no '" + name + "', only " + String.join(", ", NAMES));
            }
        }
        long kinds = KINDS.stream().filter(said::containsKey).count();
        boolean all = kinds == 0;
        if (all ? !said.containsKey(PASSES) && !said.containsKey(PLACES) : kinds > 1) {
            throw new IOException("'order' needs either 'indices' or 'weights' or 'curriculum', each the path of a"
                    + " file, or 'passes' or 'places' of all samples");
        }
        if (!said.containsKey(CURRICULUM)
                && (said.containsKey(FROM) || said.containsKey(TO) || said.containsKey(OVER))) {
            throw new IOException("in 'order', 'from', 'to' and 'over' go with 'curriculum'");
        }
        if (said.containsKey(CURRICULUM) && shuffles) {
            throw new IOException("'shuffle' does not go with the 'curriculum' of 'order', which draws at random by"
                    + " 'seed' in every epoch: leave it out");
        }
        if (!said.containsKey(WEIGHTS) && (said.containsKey(DRAWS) || said.containsKey(REPLACEMENT))) {
            throw new IOException("in 'order', 'draws' and 'replacement' go with 'weights'");
        }
        if (said.containsKey(WEIGHTS) && shuffles) {
            throw new IOException("'shuffle' does not go with the 'weights' of 'order', which draw at random by 'seed'"
                    + " in every epoch: leave it out");
        }
    }

    private static SampleOrder listed(long[][] indices, boolean shuffles, long seed) throws IOException {
        if (indices.length == 1) {
            return shuffles ? SampleOrder.shuffled(seed, indices[0]) : SampleOrder.listed(indices[0]);
        }
        if (shuffles) {
            throw new IOException("'shuffle' does not go with 'indices' of several epochs, which say each epoch's"
                    + " order: leave it out");
        }
        return SampleOrder.listedByEpoch(indices);
    }

    private static SampleOrder weighted(Map<String, String> said, double[] weights, long seed) throws IOException {
        OptionalLong draws = draws(said);
        String replacement = said.getOrDefault(REPLACEMENT, "true");
        return switch (replacement) {
            case "true" -> SampleOrder.weighted(weights, draws, seed);
            case "false" -> SampleOrder.weightedWithoutReplacement(weights, draws, seed);
            default ->
                throw new IOException("'replacement' of 'order' must be true or false but was '" + replacement + "'");
        };
    }

    private static OptionalLong draws(Map<String, String> said) throws IOException {
        String draws = said.get(DRAWS);
        if (draws == null) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseLong(draws));
        } catch (NumberFormatException other) {
            throw new IOException("'draws' of 'order' must be a whole number but was '" + draws + "'", other);
        }
    }

    private static OptionalLong number(Map<String, String> said, String name, long most) throws IOException {
        String text = said.get(name);
        if (text == null) {
            return OptionalLong.empty();
        }
        if (text.matches("\\d{1,18}") && Long.parseLong(text) >= 1 && Long.parseLong(text) <= most) {
            return OptionalLong.of(Long.parseLong(text));
        }
        throw new IOException("'" + name + "' of 'order' must be a whole number of at least 1 but was '" + text + "'");
    }

    private static Path file(Map<String, String> said, String name, Path folder) throws IOException {
        String path = String.valueOf(said.get(name));
        try {
            return folder.resolve(path);
        } catch (InvalidPathException invalid) {
            throw new IOException("'" + name + "' of 'order' is no path: " + invalid.getReason(), invalid);
        }
    }
}
