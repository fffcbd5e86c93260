package org.jspdl.cli.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.data.storage.StorageOptions;
import org.jspdl.data.storage.StorageSetting;

/// Reads `--allow-local` and `--allow-hosts`, what lists from elsewhere may name, and `--storage`, how other machines
/// are asked.
public final class AccessArguments {
    public static final Option ALLOW_LOCAL =
            Option.flag("--allow-local", "Let lists and manifests from other machines name files of this one.");
    public static final Option ALLOW_HOSTS = Option.valued(
            "--allow-hosts",
            "A,B",
            "Ask these hosts even if they are at link-local addresses, where clouds keep credentials.");
    public static final Option STORAGE = Option.valued(
                    "--storage",
                    "NAME=VALUE,...",
                    "How other machines are asked, see docs/how-to/storage.md: " + settings() + ".")
            .knownAs("--retries", "--timeout", "--read-deadline", "--header", "--netrc");

    private AccessArguments() {}

    /// All names, with their defaults.
    private static String settings() {
        StringJoiner names = new StringJoiner(", ");
        for (StorageSetting setting : StorageSetting.values()) {
            String usual = setting.of(StorageOptions.defaults());
            names.add(setting.key() + "=" + (usual.isEmpty() ? "FILE" : usual));
        }
        return names.toString();
    }

    private static StorageOptions ofUser() {
        return StorageOptions.ofUser(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /// Where this program keeps what later runs use.
    public static Path cacheFolder() {
        return ofUser().notesFolder().orElseThrow().resolveSibling("");
    }

    /// What the options let storage reach.
    ///
    /// @throws UsageException if a setting of `--storage` is none
    public static StorageOptions storage(CommandLine line) throws UsageException {
        StorageOptions options = ofUser();
        options = line.has("--allow-local") ? options.allowLocal() : options;
        String hosts = line.text("--allow-hosts").orElse("").strip();
        options = hosts.isEmpty() ? options : options.allowHosts(hosts.split("\\s*,\\s*"));
        try {
            return StorageSetting.apply(options, given(line.text("--storage").orElse("")), Path.of(""));
        } catch (IllegalArgumentException wrong) {
            throw new UsageException("--" + wrong.getMessage());
        } catch (IOException unreadable) {
            throw new UsageException("--storage: " + unreadable.getMessage());
        }
    }

    private static Map<String, String> given(String text) throws UsageException {
        Map<String, String> given = new LinkedHashMap<>();
        for (String each : text.isEmpty() ? new String[0] : text.split(",")) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new UsageException("--storage must be names with values, such as read-deadline=20s,hedge-share=0,"
                        + " but was '" + text + "'");
            }
            String name = each.substring(0, equals).strip();
            if (given.put(name, each.substring(equals + 1)) != null) {
                throw new UsageException("--storage says " + name + " twice: leave one out");
            }
        }
        return given;
    }
}
