package org.jspdl.pipeline.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspdl.pipeline.RunOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that die by `kill -9`. Results: `target/campaigns/kill.txt`.
@Timeout(value = 30, unit = TimeUnit.MINUTES) // a campaign takes longer than other tests
@Tag("slow")
class KillTest {
    private static final int KILLS_A_CAMPAIGN = 8;

    @Test
    void whatKilledProcessesDeliverUpToTheirCheckpointsIsWhatOneProcessDelivers(@TempDir Path directory)
            throws IOException, InterruptedException {
        int wanted = Campaign.scale(10, 200);
        int kills = 0;
        int processes = 0;
        int generations = 0;
        long items = 0;
        int campaign = 0;
        for (; kills < wanted; campaign++) {
            KilledRecipe recipe = KilledRecipe.values()[campaign % KilledRecipe.values().length];
            Path room = Files.createDirectory(directory.resolve("campaign-" + campaign));
            KillCampaign.Outcome outcome = KillCampaign.run(
                    recipe, room, campaign, Math.min(Campaign.scale(4, KILLS_A_CAMPAIGN), wanted - kills));
            check(recipe, outcome.deliveries(), campaign);
            kills += outcome.kills();
            processes += outcome.processes();
            generations += outcome.generations();
            items += outcome.deliveries().stream().mapToLong(List::size).sum();
        }
        report(String.format(
                Locale.ROOT,
                "%,d kills of %,d processes in %,d campaigns with %,d sets of ranks; %,d items delivered as by one process%n",
                kills,
                processes,
                campaign,
                generations,
                items));
        assertThat(kills).isGreaterThanOrEqualTo(wanted);
    }

    private static void check(KilledRecipe recipe, List<List<String>> deliveries, int campaign) {
        List<String> whole = uninterrupted(recipe);
        List<String> together = deliveries.stream().flatMap(List::stream).toList();
        switch (recipe) {
            case ORDERED ->
                assertThat(together.equals(whole))
                        .as("campaign %d: the same sequence of %d as %d", campaign, together.size(), whole.size())
                        .isTrue();
            case MIXED, SHARDS -> assertSameItems(together, whole, campaign);
            case RANKS -> {
                assertSameItems(together, whole, campaign);
                deliveries.forEach(rank -> assertCommonOrder(rank, campaign));
            }
        }
    }

    private static void assertSameItems(List<String> delivered, List<String> whole, int campaign) {
        assertThat(delivered.stream()
                        .sorted()
                        .toList()
                        .equals(whole.stream().sorted().toList()))
                .as("campaign %d: the same items, %d and %d", campaign, delivered.size(), whole.size())
                .isTrue();
    }

    private static void assertCommonOrder(List<String> rank, int campaign) {
        long[][] places = {KilledRecipe.places(0), KilledRecipe.places(1)};
        long last = -1;
        for (String delivery : rank) {
            String[] words = delivery.split(" ");
            int epoch = Integer.parseInt(words[0]);
            long place = epoch * (long) KilledRecipe.SIZE + places[epoch][Integer.parseInt(words[1])];
            assertThat(place).as("campaign %d: place of %s", campaign, delivery).isGreaterThan(last);
            last = place;
        }
    }

    private static List<String> uninterrupted(KilledRecipe recipe) {
        List<String> whole = new ArrayList<>();
        List<List<String>> epochs = Interrupted.never(
                recipe.share(0, 1, new Tuning(0)), RunOptions.defaults().epochs(KilledRecipe.EPOCHS));
        for (int epoch = 0; epoch < epochs.size(); epoch++) {
            for (String item : epochs.get(epoch)) {
                whole.add(epoch + " " + item);
            }
        }
        return whole;
    }

    private static void report(String result) throws IOException {
        Path campaigns = Files.createDirectories(Path.of(System.getProperty("basedir", "."), "target", "campaigns"));
        Files.writeString(campaigns.resolve("kill.txt"), result);
    }
}
