package org.jspdl.data.dataset;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspdl.data.storage.Storage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A campaign against lists and manifests: bytes changed, cut, repeated and moved, from a printed seed.
///
/// Each is read, every name of it, or refused with an [IOException] that says why; a row that is malformed fails alone.
/// 2,000 files, with `-Pcampaign` 100,000, or `-Djspdl.campaign.count=N`.
class MutatedListsTest {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final Map<String, String> CORPUS = Map.of(
            "list.txt", "a/b.jpg\t0\n\"a b\".png 3\r\nhttps://host/c.webp?x=1 cat\n\ns3://bucket/d.jpg\tdog\n",
            "plain.lst", "a/b.jpg\nc d.png\r\nhttps://host/c.webp\n",
            "table.csv", "\ufefffile,label,text\n\"a, b.jpg\",1,\"x\"\"y\"\nc.jpg,dog,\"line\nbreak\"\n\nd.jpg,2,\n",
            "table.tsv", "path\tclass\na.jpg\t1\nb c.jpg\t2\n",
            "rows.jsonl",
                    "{\"file\": \"a.jpg\", \"label\": 1, \"box\": [1, {\"x\": null}]}\n{\"file\": \"\\u00e9.jpg\"}\n");
    private static final byte[] EDGES = {
        0, 1, -1, 127, -128, '"', ',', '\n', '\r', '\t', '{', '}', '[', ':', '\\', '%', '/'
    };

    @TempDir
    Path folder;

    private static byte[] mutate(byte[] whole, SplittableRandom random) {
        byte[] mutant = whole.clone();
        for (int change = random.nextInt(5); change > 0; change--) { // a fifth as it was
            int at = random.nextInt(mutant.length);
            switch (random.nextInt(6)) {
                case 0 -> mutant[at] = (byte) random.nextInt(256);
                case 1, 2 -> mutant[at] = EDGES[random.nextInt(EDGES.length)];
                case 3 -> mutant = Arrays.copyOf(mutant, 1 + at);
                case 4 -> { // thousands of one sign
                    byte[] longer = Arrays.copyOf(mutant, mutant.length + 10_000);
                    Arrays.fill(longer, at, at + 10_000, EDGES[random.nextInt(EDGES.length)]);
                    System.arraycopy(mutant, at, longer, at + 10_000, mutant.length - at);
                    mutant = longer;
                }
                default -> {
                    int length = Math.min(mutant.length - at, 1 + random.nextInt(40));
                    System.arraycopy(mutant, at, mutant, random.nextInt(mutant.length - length + 1), length);
                }
            }
        }
        return mutant;
    }

    private static void read(Storage storage, Path file) throws IOException {
        LabeledFiles files = LabeledFiles.open(storage, file.toString());
        for (int i = 0; i < files.size(); i++) {
            assertThat(files.label(i)).isGreaterThanOrEqualTo(LabeledFiles.NO_LABEL);
            try {
                files.location(i);
            } catch (IllegalArgumentException noLocation) {
                assertThat(noLocation.getMessage()).isNotBlank(); // fails when it is to be read, alone
            }
        }
    }

    private static void rows(Storage storage, Path file) throws IOException {
        try (Manifest manifest = Manifest.open(storage, file.toString())) {
            for (long row = 0; row < manifest.size(); row++) {
                try {
                    ManifestRow values = manifest.get(row);
                    for (String column : manifest.columns()) {
                        values.find(column);
                    }
                } catch (DatasetException malformed) {
                    assertThat(malformed).hasMessageContaining("row");
                }
            }
        }
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aMutatedListIsReadOrRefused() throws Exception {
        long seed = Long.getLong("jspdl.campaign.seed", 20_261_122);
        int count = Integer.getInteger("jspdl.campaign.count", Boolean.getBoolean("campaign") ? 100_000 : 2_000);
        String[] names = CORPUS.keySet().stream().sorted().toArray(String[]::new);
        int read = 0;
        int refused = 0;
        long longest = 0;
        try (Storage storage = Storage.open()) {
            for (int round = 0; round < count; round++) {
                SplittableRandom random = new SplittableRandom(seed + round);
                String name = names[random.nextInt(names.length)];
                byte[] mutant = mutate(requireNonNull(CORPUS.get(name)).getBytes(StandardCharsets.UTF_8), random);
                Path file = Files.write(folder.resolve(name), mutant);
                long began = System.nanoTime();
                try {
                    read(storage, file);
                    if (ManifestFormat.of(org.jspdl.data.storage.Location.of(file))
                            .isPresent()) {
                        rows(storage, file);
                    }
                    read++;
                } catch (IOException named) {
                    assertThat(named.getMessage()).as("seed %d", seed + round).isNotBlank();
                    refused++;
                } catch (RuntimeException | Error stray) {
                    Path kept = Files.write(Files.createTempFile("jspdl-", name), mutant);
                    throw new AssertionError("seed " + (seed + round) + ", see " + kept, stray);
                }
                long nanos = System.nanoTime() - began;
                assertThat(nanos).as("seed %d", seed + round).isLessThan(PATIENCE_NANOS);
                longest = Math.max(longest, nanos);
            }
        }
        System.out.printf(
                "mutated lists, seeds from %d: %,d read, %,d refused, longest %.1f ms, heap %d MiB%n",
                seed, read, refused, longest / 1e6, Runtime.getRuntime().maxMemory() >> 20);
        assertThat(read).isPositive();
        assertThat(refused).isPositive();
    }
}
