package org.jspdl.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A campaign against plans: words, signs and lines changed, repeated and moved, in YAML and JSON, from a printed seed.
///
/// Each is compiled or refused with a [PlanException], and none writes outside of its folder. 1,000 plans, with
/// `-Pcampaign` 10,000, or `-Djspdl.campaign.count=N`.
class MutatedPlansTest {
    private static final List<String> PLANS = List.of("""
            name: numbers
            source: {range: {size: 20}}
            steps:
              - {refuse: {at: 3}, name: careful, io: 1, failure: {max-failures: 1, max-attempts: 2, backoff: 1ms}}
              - {refuse: {at: 5}, cpu: 1}
              - batch: {batch-size: 4}
            failure: {max-failure-rate: 0.5, min-calls: 10}
            quarantine: bad.jsonl
            epochs: 2
            seed: 7
            memory-budget: {bytes: 1MiB}
            """, """
            source: {merge: {of: [{source: {range: {size: 3}}}, {source: {range: {size: 2}}}]}}
            steps: [{later: {by: 100}, async: 4}]
            """, """
            {"source": {"range": {"size": 5}}, "steps": [{"refuse": {"at": 3}, "cpu": 1}], "quarantine": "inside/q.jsonl"}
            """);

    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "'",
        "\"",
        "\n",
        "  ",
        "- ",
        "&a ",
        "*a",
        "!!java.net.URL ",
        "<<: *a",
        "../",
        "/etc/",
        "%",
        "@",
        "|",
        ">",
        "? ",
        "~",
        "null",
        "true",
        "1e999",
        "-1",
        "9223372036854775807",
        "9999999999999999999999",
        "0x7fffffff",
        ".nan",
        "1s",
        "1TiB",
        "999999999999999 h",
        "source",
        "steps",
        "quarantine: ../../x.jsonl\n",
        "epochs",
        "\u0000",
        "\u001b[2J",
        "\ufeff",
        "\ud800",
        "#",
        "---\n",
        "...\n",
        "{a: {a: {a: "
    };

    @TempDir
    Path folder;

    private static String mutant(SplittableRandom random) {
        StringBuilder text = new StringBuilder(PLANS.get(random.nextInt(PLANS.size())));
        for (int edit = random.nextInt(4); edit > 0; edit--) { // a quarter as it was
            int at = random.nextInt(text.length());
            int end = Math.min(text.length(), at + 1 + random.nextInt(12));
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
                case 1 -> text.delete(at, Math.min(end, at + text.length() - 1));
                case 2, 3 -> text.insert(at, PIECES[random.nextInt(PIECES.length)]);
                default -> text.insert(random.nextInt(text.length()), text.substring(at, end));
            }
        }
        return text.toString();
    }

    private Set<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.collect(Collectors.toSet());
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMutatedPlanIsCompiledOrRefusedAndWritesNowhereElse() throws IOException {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 10_000 : 1_000);
        Path plans = folder.resolve("a/plans");
        Files.createDirectories(plans.resolve("inside"));
        long compiled = 0;
        long refused = 0;
        long longest = 0;
        Operations known = TestOperations.known();
        for (String plan : PLANS) {
            Plan.of("plan.yaml", plan).compile(known, PlanContext.in(plans)).close();
        }
        for (int round = 0; round < count; round++) {
            SplittableRandom random = new SplittableRandom(seed + round);
            String text = mutant(random);
            String name = random.nextBoolean() ? "plan.yaml" : "plan.json";
            long began = System.nanoTime();
            try {
                Plan.of(name, text).compile(known, PlanContext.in(plans)).close();
                compiled++;
            } catch (PlanException expected) {
                refused++;
            } catch (RuntimeException | Error stray) {
                throw new AssertionError("seed " + (seed + round) + ": " + text, stray);
            }
            longest = Math.max(longest, System.nanoTime() - began);
        }
        Set<Path> outside = files(folder);
        outside.removeAll(files(plans));
        assertThat(outside).containsExactlyInAnyOrder(folder, folder.resolve("a"));
        System.out.printf(
                "mutated plans, seeds from %d: %,d compiled, %,d refused, longest %.1f ms, heap %d MiB%n",
                seed, compiled, refused, longest / 1e6, Runtime.getRuntime().maxMemory() >> 20);
        assertThat(compiled).isPositive();
        assertThat(refused).isPositive();
    }
}
