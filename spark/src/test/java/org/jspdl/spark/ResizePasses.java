package org.jspdl.spark;

import static org.apache.spark.sql.functions.callUDF;
import static org.apache.spark.sql.functions.col;

import com.sun.management.OperatingSystemMXBean;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferByte;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.jspdl.data.plan.PackedPlan;
import org.jspdl.data.shards.pack.PackSettings;
import org.jspdl.plan.Operations;
import org.jspdl.plan.PlanContext;

/// Photographs decoded, made smaller (shorter side 256, center 224 x 224) and written as JPEG of quality 90: a
/// contestant of the benchmarks' scenario `spark`.
///
/// Arguments: a way, processors, a folder for what is written, and folders of photographs, each worked on once, of
/// which the first warm up. Ways: `pack`, one machine without Spark; `plan`, a [PlanJob]; `image`, Spark's own source
/// of pictures and a user function that makes them smaller; `binary`, files as bytes and a user function with ImageIO.
/// The last two write Parquet files, ours write tar files.
public final class ResizePasses {
    private static final int SHORTER = 256;
    private static final int SIDE = 224;
    private static final float QUALITY = 0.9F;
    private static final int SAMPLES = 500;

    private ResizePasses() {}

    /// Runs the passes, each of which prints a line for the harness.
    public static void main(String[] arguments) throws Exception {
        Way way = Way.valueOf(arguments[0].toUpperCase(java.util.Locale.ROOT));
        int processors = Integer.parseInt(arguments[1]);
        Path to = Path.of(arguments[2]);
        System.out.println("{\"event\": \"versions\", \"java\": \"" + Runtime.version() + "\", \"spark\": \""
                + org.apache.spark.package$.MODULE$.SPARK_VERSION() + "\"}");
        SparkSession spark = way == Way.PACK ? null : session(processors, to);
        System.out.println("{\"event\": \"first_batch\"}"); // the session has started
        List<String> folders = List.of(arguments).subList(3, arguments.length);
        for (int pass = 0; pass < folders.size(); pass++) {
            long start = System.nanoTime();
            long cpu = cpuNanos();
            long items = run(way, spark, processors, folders.get(pass), to.resolve("pass" + pass));
            System.out.println("{\"event\": \"epoch\", \"items\": " + items + ", \"seconds\": "
                    + (System.nanoTime() - start) / 1e9 + ", \"cpu_seconds\": " + (cpuNanos() - cpu) / 1e9 + "}");
        }
        if (spark != null) {
            spark.stop();
        }
    }

    private enum Way {
        PACK,
        PLAN,
        IMAGE,
        BINARY
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static SparkSession session(int processors, Path to) {
        SparkSession spark = SparkSession.builder()
                .master("local[" + processors + "]")
                .appName("resize")
                .config("spark.ui.enabled", "false")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.local.dir", to.resolve("scratch").toString())
                .config(
                        "spark.sql.warehouse.dir",
                        to.resolve("warehouse").toUri().toString())
                .config("spark.sql.parquet.compression.codec", "uncompressed")
                .config("spark.sql.files.maxPartitionBytes", "64m")
                .getOrCreate();
        spark.udf().register("shrink", (UDF1<Row, byte[]>) ResizePasses::shrink, DataTypes.BinaryType);
        spark.udf().register("resize", (UDF1<byte[], byte[]>) ResizePasses::resize, DataTypes.BinaryType);
        return spark;
    }

    private static long run(
            Way way, @org.jspecify.annotations.Nullable SparkSession spark, int processors, String folder, Path to)
            throws Exception {
        String plan = """
                source: {files: {path: %s}}
                steps:
                  - {load-image: {size: 224, dtype: uint8}, cpu: 1}
                  - {encode-image: {quality: 90}}
                """.formatted(folder);
        if (spark == null) {
            PackSettings settings = PackSettings.of(to, "set").range(PackSettings.Range.INPUT);
            settings = settings.limits(SAMPLES, settings.bytes()).writers(processors);
            try (PackedPlan packed =
                    PackedPlan.open("plan.yaml", plan, Operations.installed(), PlanContext.in(Path.of("")))) {
                return packed.pack(settings, false, _ -> {}).samples();
            }
        }
        return switch (way) {
            case PLAN, PACK ->
                PlanJob.of("plan.yaml", plan)
                        .samplesPerShard(SAMPLES)
                        .run(spark, to)
                        .samples();
            case IMAGE ->
                written(
                        spark,
                        spark.read()
                                .format("image")
                                .option("recursiveFileLookup", "true")
                                .load(folder)
                                .select(
                                        col("image.origin"),
                                        callUDF("shrink", col("image")).as("jpg")),
                        to);
            case BINARY ->
                written(
                        spark,
                        spark.read()
                                .format("binaryFile")
                                .option("recursiveFileLookup", "true")
                                .load(folder)
                                .select(
                                        col("path"),
                                        callUDF("resize", col("content")).as("jpg")),
                        to);
        };
    }

    private static long written(SparkSession spark, Dataset<Row> rows, Path to) {
        rows.write().parquet(to.toString());
        return spark.read().parquet(to.toString()).count();
    }

    /// A row of Spark's source of pictures: origin, height, width, channels, mode, and bytes in the order blue,
    /// green, red, or gray ones.
    private static byte[] shrink(Row image) throws IOException {
        int height = image.getInt(1);
        int width = image.getInt(2);
        BufferedImage whole = new BufferedImage(
                width,
                height,
                switch (image.getInt(3)) {
                    case 1 -> BufferedImage.TYPE_BYTE_GRAY;
                    case 3 -> BufferedImage.TYPE_3BYTE_BGR;
                    default -> throw new IOException(image.getString(0) + " has " + image.getInt(3) + " channels");
                });
        byte[] pixels = image.getAs(5);
        System.arraycopy(pixels, 0, ((DataBufferByte) whole.getRaster().getDataBuffer()).getData(), 0, pixels.length);
        return encoded(centered(whole));
    }

    private static byte[] resize(byte[] file) throws IOException {
        return encoded(centered(ImageIO.read(new ByteArrayInputStream(file))));
    }

    private static BufferedImage centered(BufferedImage whole) {
        double scale = (double) SHORTER / Math.min(whole.getWidth(), whole.getHeight());
        int width = Math.max(SHORTER, (int) Math.round(whole.getWidth() * scale));
        int height = Math.max(SHORTER, (int) Math.round(whole.getHeight() * scale));
        BufferedImage part = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_3BYTE_BGR);
        Graphics2D graphics = part.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(whole, (SIDE - width) / 2, (SIDE - height) / 2, width, height, null);
        graphics.dispose();
        return part;
    }

    private static byte[] encoded(BufferedImage image) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            ImageWriteParam settings = writer.getDefaultWriteParam();
            settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            settings.setCompressionQuality(QUALITY);
            try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
                writer.setOutput(out);
                writer.write(null, new IIOImage(image, null, null), settings);
            }
            return bytes.toByteArray();
        } finally {
            writer.dispose();
        }
    }
}
