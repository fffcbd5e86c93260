package org.jspdl.data.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.data.shards.Shards;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;
import org.jspdl.data.storage.StorageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A folder gives each sample once, and all of them, or says why it does not.
class ShardFolderTest {
    @TempDir
    Path folder;

    private List<String> found(String pattern) throws IOException {
        try (Storage storage = Storage.open()) {
            return Shards.locations(storage, Location.of(folder + pattern)).stream()
                    .map(shard -> folder.relativize(Path.of(shard.text())).toString())
                    .toList();
        }
    }

    private void refuses(String pattern, String... reason) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> found(pattern))
                .withMessageContainingAll(reason);
    }

    private void put(String name, String content) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        Files.writeString(folder.resolve(name), content);
    }

    @Test
    void foldersThatSystemsKeepAreNotLookedIntoUnlessAPatternNamesThem() throws Exception {
        put("train-0.tar", "");
        put("lost+found/train-1.tar", "");
        put("deep/@eaDir/train-2.tar", "");

        assertThat(found("")).containsExactly("train-0.tar");
        assertThat(found("/**/*.tar")).containsExactly("train-0.tar");
        assertThat(found("/lost+found/*.tar")).containsExactly("lost+found/train-1.tar");
    }

    /// Streaming keeps both for those who ask for it, and tools that unpack often leave what they had fetched.
    @ParameterizedTest
    @CsvSource({
        "shard.00000.mds, shard.00000.mds.zstd, *.mds",
        "train-0.tar, train-0.tar.gz, *.tar",
        "train-0.tar, train-0.tgz, *.tar",
        "a/train-0.tar.gz, a/train-0.tgz, *.tar.gz",
        "part.jsonl, part.jsonl.zst, *.jsonl",
        "x.tfrecord, x.tfrecord.gz, *.tfrecord"
    })
    void aShardThatIsThereInTwoFormsIsRefused(String one, String other, String pattern) throws Exception {
        put(one, "");
        put(other, "");

        refuses("", "every sample would come twice", "such as '" + pattern + "'");
        refuses("/**/*.*", "every sample would come twice");
        assertThat(found("/**/" + pattern)).containsExactly(one);
    }

    /// As `img2dataset` writes them: pictures, and a table of what is known of them.
    @Test
    void shardsOfSeveralFormatsAreRefusedUnlessTheyAreNamed() throws Exception {
        put("00000.tar", "");
        put("00000.jsonl", "");
        put("00001.tar", "");

        refuses("", "shards of several formats, JSON lines (1), WebDataset tar (2)", "/*.jsonl'");
        assertThat(found("/*.tar")).containsExactly("00000.tar", "00001.tar");
    }

    @Test
    void tablesThatWereDerivedFromOthersAreNotReadWithThem() throws Exception {
        put("data-00000-of-00001.arrow", "");
        put("cache-1c8fb1e2f0b3d4a5.arrow", "");
        put("cache-1c8fb1e2f0b3d4a5_00000_of_00004.arrow", "");
        put("cache-of-mine.arrow", "");

        assertThat(found("")).containsExactly("cache-of-mine.arrow", "data-00000-of-00001.arrow");
        assertThat(found("/cache-1*_of_*.arrow")).containsExactly("cache-1c8fb1e2f0b3d4a5_00000_of_00004.arrow");
    }

    @Test
    void aShardThatTheIndexOfStreamingNamesMustBeThere() throws Exception {
        String index = """
                {"shards": [
                 {"format": "mds", "raw_data": {"basename": "shard.00000.mds", "bytes": 7, "hashes": {}}, "samples": 1,
                  "zip_data": {"basename": "shard.00000.mds.zstd", "bytes": 3, "hashes": {}}, "zip_basename": null},
                 {"format": "mds", "raw_data": {"basename": "b/shard.00000.mds"}, "zip_data": null}], "version": 2}
                """;
        put("train/index.json", index);
        put("train/shard.00000.mds.zstd", "");
        put("val/shard.00000.mds", "");

        refuses("", "train/index.json", "names 2 shards, of which 1 are not there, such as shard.00000.mds");
        assertThat(found("/train/*.zstd")).containsExactly("train/shard.00000.mds.zstd");
        put("train/b/shard.00000.mds", "");
        assertThat(found("")).hasSize(3);
    }

    @Test
    void aShardThatTheIndexOfTheDatasetNamesMustBeThere() throws Exception {
        put("train-0.tar", "");
        put(
                "train.shards.json",
                new DatasetIndex(
                                List.of(
                                        new DatasetIndex.Shard("train-0.tar", 1, 0, ""),
                                        new DatasetIndex.Shard("train-1.tar", 1, 0, "")),
                                List.of())
                        .text());

        refuses("", "train.shards.json", "of which 1 are not there, such as train-1.tar");
        assertThat(found("/train-*.tar")).containsExactly("train-0.tar");
    }

    @Test
    void anotherProgramsIndexSaysNothing() throws Exception {
        put("shard.00000.mds", "");
        for (String other : List.of("[]", "{}", "{\"shards\": 3}", "{\"shards\": [{\"raw_data\": null}, 1]}")) {
            put("index.json", other);

            assertThat(found("")).containsExactly("shard.00000.mds");
        }
        put("index.json", "{\"shards\": [");
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> found(""))
                .withMessageContaining("index.json")
                .withMessageContaining("damaged");
    }

    /// What lies beside it may be large, unreadable to this user, or a circle of links.
    @Test
    void aPatternLooksOnlyIntoFoldersThatItMayMean() throws Exception {
        put("train-0.tar", "");
        put("other/train-1.tar", "");
        Files.createSymbolicLink(folder.resolve("other/circle"), folder);

        assertThat(found("/train-*.tar")).containsExactly("train-0.tar");
        assertThat(found("/*/train-*.tar")).containsExactly("other/train-1.tar");
        refuses("/**/train-*.tar", "whose files are listed in");
    }

    /// As a job leaves a store that was killed while its shards got their names.
    @Test
    void shardsOfAJobThatHasNotEndedAreRefusedUntilTheirIndexIsThere() throws Exception {
        put("train/train-000000.tar", "");
        put("train/.jspdl/job/names", "train-000000.tar");
        put("other/other-000000.tar", "");

        refuses("/train", "train-000000.tar", "a job that writes to its folder has not ended, or was killed");
        refuses("/train/train-*.tar", "has not ended, or was killed");
        refuses("", "has not ended, or was killed");
        assertThat(found("/other")).hasSize(1);
        put(
                "train/train.shards.json",
                "{\"jspdl-shards\": 1, \"samples\": 1, \"bytes\": 0, \"shards\": [{\"name\":"
                        + " \"train-000000.tar\", \"samples\": 1, \"bytes\": 0, \"crc32c\": \"00000000\"}]}");
        assertThat(found("/train/train-*.tar")).hasSize(1);
    }
}
