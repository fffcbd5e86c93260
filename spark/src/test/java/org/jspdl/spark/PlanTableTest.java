package org.jspdl.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.memory.ElementType;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;
import org.jspdl.spark.internal.PlanSight;
import org.jspdl.spark.internal.ReadOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What plans make as tables, without a session.
class PlanTableTest {
    private static final int PICTURES = 50;
    private static final int ANY = Integer.MAX_VALUE;

    @TempDir
    Path folder;

    @BeforeEach
    void paint() throws Exception {
        Pictures.paint(folder, PICTURES);
    }

    private ReadOptions options(String plan, String... more) {
        Map<String, String> given =
                new TreeMap<>(Map.of("plan", plan, "planFolder", folder.toString(), "samplesPerPartition", "20"));
        for (int i = 0; i < more.length; i += 2) {
            given.put(more[i], more[i + 1]);
        }
        return ReadOptions.of(new CaseInsensitiveStringMap(given));
    }

    private static String sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }

    /// Place, label and checksum of each sample's pixels, as one machine makes them.
    private List<String> local(String plan) throws Exception {
        List<String> lines = new ArrayList<>();
        try (PackedPlan packed = PackedPlan.open("plan.yaml", plan, Operations.installed(), PlanContext.in(folder))) {
            packed.samples(0, packed.places(), (sample, place) -> {
                assertThat(sample.elementType("image")).contains(ElementType.UINT8);
                lines.add(place + " " + sample.number("label") + " "
                        + sum(sample.bytes("image").toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)));
            });
        }
        return lines;
    }

    private static List<String> read(ReadOptions options, StructType schema, int most) throws Exception {
        List<String> lines = new ArrayList<>();
        StructType columns = schema.add(DatasetTable.INDEX, org.apache.spark.sql.types.DataTypes.LongType);
        PlanSight sight = PlanSight.of(options);
        for (Piece piece : Layout.of(options).partitions()) {
            try (PartitionReader<InternalRow> reader =
                    PlanReader.open((PlanPiece) piece, columns, options, sight, most)) {
                while (reader.next()) {
                    InternalRow row = reader.get();
                    lines.add(row.getLong(columns.length() - 1) + " " + row.getLong(schema.fieldIndex("label")) + " "
                            + sum(row.getStruct(schema.fieldIndex("image"), 3).getBinary(2)));
                }
            }
        }
        return lines;
    }

    private static String unencoded() {
        return Pictures.PLAN.replace("  - encode-image: {}\n", "");
    }

    @Test
    void rowsAreWhatOneMachineMakesOfEachPlaceToTheBit() throws Exception {
        ReadOptions options = options(unencoded());
        StructType schema = Layout.of(options).schema();

        assertThat(schema.simpleString())
                .contains("label:bigint")
                .contains("image:struct<shape:array<bigint>,type:string,data:binary>");
        assertThat(Layout.of(options).partitions()).hasSize(3);
        assertThat(read(options, schema, ANY)).hasSize(PICTURES - 3).isEqualTo(local(unencoded()));
        assertThat(read(options, schema, 2)).hasSize(6);
    }

    @Test
    void whatFailsEndsTheTaskUnlessItIsToBeLeftOut() throws Exception {
        Files.writeString(folder.resolve("photos/c1/0041.jpg"), "broken");
        StructType schema = Layout.of(options(unencoded(), "failures", "skip")).schema();

        assertThatThrownBy(() -> read(options(unencoded()), schema, ANY))
                .hasMessageContaining("0041.jpg")
                .hasMessageContaining("failures");
        assertThat(read(options(unencoded(), "failures", "skip"), schema, ANY)).hasSize(PICTURES - 4);
    }

    @Test
    void aDatasetThatChangedSinceTheDriverLookedIsRefused() throws Exception {
        ReadOptions options = options(unencoded());
        StructType schema = Layout.of(options).schema();
        PlanPiece piece = (PlanPiece) Layout.of(options).partitions().getFirst();
        PlanSight sight = PlanSight.of(options);
        Files.delete(folder.resolve("photos/c1/0041.jpg"));

        assertThatThrownBy(() -> PlanReader.open(piece, schema, options, sight, ANY))
                .hasMessageContaining("another dataset or decoder than the driver");
    }

    @Test
    void whatCanNotBeReadSoIsRefusedByName() {
        assertThatThrownBy(() -> options(Pictures.PLAN, "path", "photos")).hasMessageContaining("names its dataset");
        assertThatThrownBy(() -> ReadOptions.of(new CaseInsensitiveStringMap(Map.of("planFolder", "x", "path", "y"))))
                .hasMessageContaining("planFolder");
        String batches = unencoded() + "\n";
        assertThatThrownBy(() -> Layout.of(options(batches.replace("failure:", "  - batch: 4\nfailure:")))
                        .schema())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Layout.of(options("source: {shards: {path: photos}}\nsteps: []\n"))
                        .schema())
                .isInstanceOf(RuntimeException.class);
    }

    @Test
    void rowsOfShuffledShardsAreWhatOneMachineMakesOfEachPlace() throws Exception {
        Pictures.packed(folder, "source: {files: {path: photos}}\nsteps: []\n", folder.resolve("shards"), 13);
        String plan = """
                source: {shards: {path: shards, shuffle: true, seed: 3, window: 20}}
                steps:
                  - load-number: {}
                  - {load-image: {size: 24, crop: random-resized-crop, dtype: uint8}, cpu: 2}
                seed: 8
                """;
        ReadOptions options = options(plan);
        StructType schema = Layout.of(options).schema();

        assertThat(read(options, schema, ANY)).hasSize(PICTURES).isEqualTo(local(plan));
    }

    @Test
    void aFileThatChangedSinceTheDriverLookedIsNotReadEvenWhereFailuresAreLeftOut() throws Exception {
        ReadOptions options = options(unencoded(), "failures", "skip");
        StructType schema = Layout.of(options).schema();
        PlanSight sight = PlanSight.of(options);
        Path changed = folder.resolve("photos/c1/0041.jpg");
        Files.setLastModifiedTime(
                changed,
                java.nio.file.attribute.FileTime.fromMillis(
                        Files.getLastModifiedTime(changed).toMillis() + 1));

        assertThatThrownBy(() -> {
                    for (Piece piece : Layout.of(options).partitions()) {
                        try (PartitionReader<InternalRow> reader =
                                PlanReader.open((PlanPiece) piece, schema, options, sight, ANY)) {
                            while (reader.next()) {
                                assertThat(reader.get()).isNotNull();
                            }
                        }
                    }
                })
                .hasMessageContaining("0041.jpg")
                .hasMessageContaining("has changed since the dataset was listed");
    }
}
