package org.jspdl.cli;

import java.nio.file.Path;
import java.util.List;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.Option;
import org.jspdl.data.storage.StorageOptions;

/// Reads `--allow-local` and `--allow-hosts`: what lists from elsewhere may name.
final class AccessArguments {
    static final List<Option> OPTIONS = List.of(
            Option.flag("--allow-local", "Let lists and manifests from other machines name files of this one."),
            Option.valued(
                    "--allow-hosts",
                    "A,B",
                    "Ask these hosts even if they are at link-local addresses, where clouds keep credentials."));

    private AccessArguments() {}

    private static StorageOptions ofUser() {
        return StorageOptions.ofUser(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    /// Where this program keeps what later runs use.
    static Path cacheFolder() {
        return ofUser().notesFolder().orElseThrow().resolveSibling("");
    }

    static StorageOptions storage(CommandLine line) {
        StorageOptions options = ofUser();
        options = line.has("--allow-local") ? options.allowLocal() : options;
        String hosts = line.text("--allow-hosts").orElse("");
        return hosts.isEmpty() ? options : options.allowHosts(hosts.split(","));
    }
}
