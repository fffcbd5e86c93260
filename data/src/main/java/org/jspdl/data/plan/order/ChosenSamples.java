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

/// `order` of sources: which samples an epoch visits, by files of indices or of weights.
public final class ChosenSamples {
    private static final String INDICES = "indices";
    private static final String WEIGHTS = "weights";
    private static final String DRAWS = "draws";
    private static final String REPLACEMENT = "replacement";
    private static final String PASSES = "passes";
    private static final String PLACES = "places";
    private static final List<String> NAMES = List.of(INDICES, WEIGHTS, DRAWS, REPLACEMENT, PASSES, PLACES);

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
        return shuffles ? SampleOrder.allShuffled(seed) : SampleOrder.all();
    }

    private static void check(Map<String, String> said, boolean shuffles) throws IOException {
        for (String name : said.keySet()) {
            if (!NAMES.contains(name)) {
                throw new IOException("'order' has no '" + name + "', only " + String.join(", ", NAMES));
            }
        }
        boolean all = !said.containsKey(INDICES) && !said.containsKey(WEIGHTS);
        if (all
                ? !said.containsKey(PASSES) && !said.containsKey(PLACES)
                : said.containsKey(INDICES) && said.containsKey(WEIGHTS)) {
            throw new IOException("'order' needs either 'indices' or 'weights', each the path of a file, or 'passes' or"
                    + " 'places' of all samples");
        }
        if (!said.containsKey(WEIGHTS) && (said.containsKey(DRAWS) || said.containsKey(REPLACEMENT))) {
            throw new IOException("in 'order', 'draws' and 'replacement' go with 'weights', not with 'indices'");
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
