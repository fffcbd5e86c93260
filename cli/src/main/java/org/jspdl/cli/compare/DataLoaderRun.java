package org.jspdl.cli.compare;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspdl.cli.run.RunSettings;
import org.jspdl.json.Json;

/// PyTorch's DataLoader over a folder of images, in a Python of the reader's: two epochs, with a worker for each
/// processor.
///
/// @param python a program on the path, or the path of one
public record DataLoaderRun(String python) {
    private static final int EPOCHS = 2;
    /// An epoch of the DataLoader over more would keep the reader waiting for figures that would not change.
    private static final int MOST_IMAGES = 5_000;

    private static final int MOST_OUTPUT = 1 << 16;
    private static final long CHECK_SECONDS = 30;
    private static final String HAS_TORCH =
            "import importlib.util, sys; sys.exit(4 if importlib.util.find_spec('torch') else 3)";

    /// Why this Python cannot be compared with; empty if it can, as far as can be told without importing anything.
    public String problem() throws IOException, InterruptedException {
        Process check;
        try {
            check = new ProcessBuilder(python, "-c", HAS_TORCH)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            return whyNotStarted();
        }
        try {
            check.getOutputStream().close();
            if (!check.waitFor(CHECK_SECONDS, TimeUnit.SECONDS)) {
                return "'" + python + "' did not answer within " + CHECK_SECONDS
                        + " s; it must be a Python interpreter";
            }
            return switch (check.exitValue()) {
                case 4 -> ""; // not 0, with which other programs end
                case 3 ->
                    "'" + python + "' has no PyTorch: install torch and torchvision there, or name another interpreter";
                default ->
                    "'" + python + "' ended with exit code " + check.exitValue() + "; it must be a Python interpreter";
            };
        } finally {
            check.destroyForcibly();
        }
    }

    private String whyNotStarted() {
        String advice = "; name a Python interpreter that has torch and torchvision, such as /usr/bin/python3";
        if (!python.contains("/")) {
            return "no program '" + python + "' is in the folders of PATH" + advice;
        }
        if (Files.isDirectory(Path.of(python))) {
            return "'" + python + "' is a folder" + advice;
        }
        if (!Files.exists(Path.of(python))) {
            return "there is no file '" + python + "'" + advice;
        }
        return "'" + python + "' is no program that this user may start" + advice;
    }

    /// Loads the images below `folder` as `settings` say, and returns what the last epoch took.
    ///
    /// @throws IOException          if the loader fails, with what it said
    /// @throws InterruptedException if the calling thread was interrupted; the processes have ended by then
    public DataLoaderFigures over(Path folder, RunSettings settings) throws IOException, InterruptedException {
        Map<String, Object> options = new LinkedHashMap<>();
        options.put("folder", folder.toAbsolutePath().toString());
        options.put("size", (long) settings.picture().size());
        options.put("resize", (long) settings.picture().resize());
        options.put("layout", settings.picture().layout().name().toLowerCase(Locale.ROOT));
        options.put("dtype", settings.picture().elements().name().toLowerCase(Locale.ROOT));
        options.put("normalize", settings.picture().normalized());
        options.put("batch_size", (long) settings.loading().batchSize());
        options.put("workers", (long) Runtime.getRuntime().availableProcessors());
        options.put("images", (long) MOST_IMAGES);
        options.put("epochs", (long) EPOCHS);
        Path own = Files.createTempDirectory("jspdl-compare-");
        try {
            return run(own, Json.write(options));
        } finally {
            for (String file : List.of("dataloader.py", "out", "err")) {
                Files.deleteIfExists(own.resolve(file));
            }
            Files.deleteIfExists(own);
        }
    }

    private DataLoaderFigures run(Path own, String options) throws IOException, InterruptedException {
        Path program = own.resolve("dataloader.py");
        Path out = own.resolve("out");
        Path err = own.resolve("err");
        try (InputStream source =
                Objects.requireNonNull(DataLoaderRun.class.getResourceAsStream("dataloader.py"), "dataloader.py")) {
            Files.copy(source, program);
        }
        Process process = new ProcessBuilder(python, "-B", program.toString(), options)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            process.getOutputStream().close();
            int code = process.waitFor();
            if (code != 0) {
                throw new IOException("PyTorch's DataLoader ended with exit code " + code + ": " + lastLine(err));
            }
            return DataLoaderFigures.parse(lastLine(out));
        } catch (IllegalArgumentException unreadable) {
            throw new IOException("PyTorch's DataLoader was not understood: " + unreadable.getMessage(), unreadable);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String lastLine(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            bytes.skipNBytes(Math.max(0, Files.size(file) - MOST_OUTPUT));
            String text = new String(bytes.readNBytes(MOST_OUTPUT), StandardCharsets.UTF_8).strip();
            return text.substring(text.lastIndexOf('\n') + 1);
        }
    }
}
