import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Lays out every Java source under a folder as palantir-java-format does, or says which ones differ.
///
/// `java Format.java check|apply FOLDER`
final class Format {
    private static final int COLUMNS = 120;
    private static final JavaFormatterOptions.Style STYLE = JavaFormatterOptions.Style.PALANTIR;
    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(STYLE).build());

    private Format() {}

    public static void main(String[] args) throws IOException {
        boolean apply = args[0].equals("apply");
        Path root = Path.of(args[1]).toAbsolutePath().normalize();
        List<String> complaints;
        try (Stream<Path> files = Files.walk(root)) {
            complaints = files.filter(file -> isSource(root.relativize(file))).toList().parallelStream()
                    .map(file -> format(file, apply).map(reason -> root.relativize(file) + reason))
                    .flatMap(Optional::stream)
                    .sorted()
                    .toList();
        }
        if (!complaints.isEmpty()) {
            System.err.println(String.join(System.lineSeparator(), complaints));
            System.err.println("Lay out the sources with: ./mvnw -q -pl format validate -Dformat=apply");
            System.exit(1);
        }
    }

    private static boolean isSource(Path file) {
        String path = "/" + file;
        return path.endsWith(".java") && !path.contains("/target/") && !path.contains("/.");
    }

    /// What is wrong with the file, to be put behind its name; empty if nothing is, or nothing any more.
    private static Optional<String> format(Path file, boolean apply) {
        try {
            String before = Files.readString(file);
            String after = FORMATTER.formatSource(ImportOrderer.reorderImports(Comments.fill(before, COLUMNS), STYLE));
            if (after.equals(before)) {
                return Optional.empty();
            }
            if (apply) {
                Files.writeString(file, after);
                return Optional.empty();
            }
            return Optional.of(": not laid out as the formatter does");
        } catch (FormatterException cannotParse) {
            return Optional.of(": " + cannotParse.getMessage());
        } catch (IOException failure) {
            throw new UncheckedIOException(file.toString(), failure);
        }
    }
}
