import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Lists the tests that this build has skipped, by what they need, and how to get it.
///
/// `java Skipped.java list|fail ROOT START`: reads the test reports below `ROOT/*/target` that were written since
/// `START`. Other parts of the build note in a `target/skipped.txt` what they left out: a line with a name, a tab and
/// the reason.
final class Skipped {
    private static final Pattern PACKAGES = Pattern.compile("apt-get install (.+)");

    private final Map<String, List<String>> byReason = new TreeMap<>();

    public static void main(String[] args) throws Exception {
        Skipped skipped = new Skipped();
        Instant start = Instant.parse(args[2]);
        try (Stream<Path> modules = Files.list(Path.of(args[1]))) {
            for (Path module : modules.sorted().toList()) {
                skipped.read(module.resolve("target"), start);
            }
        }
        skipped.print();
        if (args[0].equals("fail") && !skipped.byReason.isEmpty()) {
            System.err.println("Tests were skipped, and this build must not skip any (-Dskipped=fail).");
            System.exit(1);
        }
    }

    private void read(Path target, Instant start) throws Exception {
        Path reports = target.resolve("surefire-reports");
        if (Files.isDirectory(reports)) {
            try (Stream<Path> files = Files.list(reports)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".xml") && isSince(each, start))
                        .toList()) {
                    report(file);
                }
            }
        }
        Path notes = target.resolve("skipped.txt");
        if (Files.isRegularFile(notes) && isSince(notes, start)) {
            for (String line : Files.readAllLines(notes)) {
                String[] fields = line.split("\t", 2);
                add(fields[0], fields[1]);
            }
        }
    }

    private static boolean isSince(Path file, Instant start) {
        try {
            return !Files.getLastModifiedTime(file).toInstant().isBefore(start);
        } catch (IOException gone) {
            return false;
        }
    }

    private void report(Path file) throws Exception {
        Document report =
                DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(file.toFile());
        NodeList found = report.getElementsByTagName("skipped");
        for (int i = 0; i < found.getLength(); i++) {
            Element each = (Element) found.item(i);
            Element test = (Element) each.getParentNode();
            String name = test.getAttribute("classname").replaceFirst(".*\\.", "") + "." + test.getAttribute("name");
            add(name, each.getAttribute("message"));
        }
    }

    private void add(String test, String reason) {
        byReason.computeIfAbsent(reason.isBlank() ? "no reason was given" : reason.strip(), key -> new ArrayList<>())
                .add(test);
    }

    private void print() {
        if (byReason.isEmpty()) {
            System.out.println("No test was skipped.");
            return;
        }
        int count = byReason.values().stream().mapToInt(List::size).sum();
        System.out.println(count + (count == 1 ? " test was skipped:" : " tests were skipped:"));
        TreeSet<String> packages = new TreeSet<>();
        byReason.forEach((reason, tests) -> {
            Matcher matcher = PACKAGES.matcher(reason);
            if (matcher.find()) {
                packages.addAll(List.of(matcher.group(1).split(" ")));
            }
            System.out.printf(
                    "  %4d  %s (%s%s)%n", tests.size(), reason, tests.getFirst(), tests.size() > 1 ? ", ..." : "");
        });
        if (!packages.isEmpty()) {
            System.out.println("To run them on Debian or Ubuntu: sudo apt-get install " + String.join(" ", packages));
        }
    }
}
