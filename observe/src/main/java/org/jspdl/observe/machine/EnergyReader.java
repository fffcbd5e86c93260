package org.jspdl.observe.machine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reads the counters of energy that Linux offers for processors of Intel and AMD (RAPL). Used by one thread at a time.
///
/// Counted are the packages, and memory where it has a domain of its own; where there are no packages, the whole
/// platform. Cores are parts of packages. Counters wrap around, after some minutes at the earliest, so a reader has
/// to be asked more often.
final class EnergyReader {
    private static final Pattern TOP = Pattern.compile("intel-rapl:[0-9]+");
    private static final Pattern PART = Pattern.compile("intel-rapl:[0-9]+:[0-9]+");
    private static final int LONGEST = 64;

    private final List<Domain> domains = new ArrayList<>();
    private String unknown = "";

    /// One counter, as a sum that does not wrap around.
    private static final class Domain {
        final String name;
        final Path counter;
        final long range;
        long last;
        long sum;

        Domain(String name, Path zone) throws IOException {
            this.name = name;
            this.counter = zone.resolve("energy_uj");
            this.range = number(zone.resolve("max_energy_range_uj"));
            this.last = number(counter);
        }

        long read() throws IOException {
            long now = number(counter);
            sum += now >= last ? now - last : range - last + now;
            last = now;
            return sum;
        }
    }

    /// @param powercap usually `/sys/class/powercap`
    EnergyReader(Path powercap) {
        try {
            List<Path> zones = zones(powercap, TOP);
            List<Path> packages = new ArrayList<>();
            for (Path zone : zones) {
                if (text(zone.resolve("name")).startsWith("package")) {
                    packages.add(zone);
                }
            }
            for (Path zone : packages.isEmpty() ? zones : packages) {
                String name = text(zone.resolve("name"));
                domains.add(new Domain(name, zone));
                for (Path part : zones(powercap, PART)) {
                    boolean inside = part.getFileName().toString().startsWith(zone.getFileName() + ":");
                    if (inside && text(part.resolve("name")).equals("dram")) {
                        domains.add(new Domain(name + " dram", part));
                    }
                }
            }
            if (domains.isEmpty()) {
                unknown = "this machine has no " + powercap.resolve("intel-rapl:*");
            }
        } catch (IOException failed) {
            unknown = why(failed);
        }
    }

    private static List<Path> zones(Path powercap, Pattern names) throws IOException {
        List<Path> zones = new ArrayList<>();
        if (Files.isDirectory(powercap)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(
                    powercap,
                    each -> names.matcher(each.getFileName().toString()).matches())) {
                all.forEach(zones::add);
            }
        }
        zones.sort((one, other) -> one.toString().compareTo(other.toString()));
        return zones;
    }

    /// What was taken since this reader was made.
    Energy read() {
        if (!unknown.isEmpty()) {
            return Energy.unknown(unknown);
        }
        Map<String, Long> sums = new TreeMap<>();
        try {
            for (Domain domain : domains) {
                sums.merge(domain.name, domain.read(), Long::sum);
            }
        } catch (IOException failed) {
            // A sum that lacks a domain for some time would be too small without saying so.
            unknown = why(failed);
            return Energy.unknown(unknown);
        }
        return new Energy(sums, "");
    }

    private static String why(IOException failed) {
        return failed instanceof AccessDeniedException
                ? "permission denied: " + failed.getMessage() + " (on most machines only root may read it)"
                : String.valueOf(failed.getMessage());
    }

    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LONGEST), StandardCharsets.UTF_8).strip();
        }
    }

    private static long number(Path file) throws IOException {
        String text = text(file);
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException malformed) {
            // said below
        }
        throw new IOException(file + " holds '" + text + "', which is no count of microjoules");
    }
}
