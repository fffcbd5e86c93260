import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
        List<String> complaints = sources(root).parallelStream()
                .map(file -> format(file, apply).map(reason -> root.relativize(file) + reason))
                .flatMap(Optional::stream)
                .sorted()
                .toList();
        if (!complaints.isEmpty()) {
            System.err.println(String.join(System.lineSeparator(), complaints));
            System.err.println("Lay out the sources with: ./mvnw -q -pl format validate -Dformat=apply");
            System.exit(1);
        }
    }

    /// Folders of builds are not entered: other modules may be building there, whose files come and go.
    private static List<Path> sources(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean entered = folder.equals(root) || !name.equals("target") && !name.startsWith(".");
                return entered ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
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
