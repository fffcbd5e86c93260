package org.jspdl.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspdl.cli.arguments.CommandLine;
import org.jspdl.cli.arguments.CommandSpec;
import org.jspdl.cli.arguments.Option;
import org.jspdl.cli.arguments.UsageException;
import org.jspdl.cli.probe.BuildFindings;
import org.jspdl.cli.probe.FileProbe;
import org.jspdl.cli.probe.Findings;
import org.jspdl.cli.settings.RunArguments;
import org.jspdl.cli.terminal.Terminal;
import org.jspdl.input.DecodeException;
import org.jspdl.input.FormatException;
import org.jspdl.input.MediaException;
import org.jspdl.media.stream.MediaBuild;

/// `jspdl probe`: what is inside of a file.
final class ProbeCommand {
    static final CommandSpec SPEC = new CommandSpec(
            "probe",
            "FILE",
            "Prints what is inside of a file: streams, codecs, rates and metadata of sound and video; sizes of pictures; arrays; archives. Or, with --build, what can be read and written.",
            List.of(new CommandSpec.Group(
                    "Options",
                    List.of(
                            Option.flag("--json", "Print JSON instead of a table."),
                            Option.flag(
                                    "--build", "Print FFmpeg's versions, formats, codecs and filters; needs no file."),
                            Option.flag("--help", "Show this help.")))),
            List.of(
                    "",
                    "Examples",
                    "  jspdl probe film.mp4",
                    "  jspdl probe --json photo.jpg",
                    "  jspdl probe shard-0001.tar",
                    "  jspdl probe --build",
                    "",
                    "Exit codes: 0 done, 1 the file cannot be read, 2 wrong option."));

    private final Terminal terminal;

    ProbeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /// The exit code.
    int run(CommandLine line) throws UsageException, IOException {
        if (line.has("--build")) {
            if (line.operand().isPresent()) {
                throw new UsageException("probe --build takes no file");
            }
            return print(BuildFindings.of(MediaBuild.current()), line);
        }
        String file = line.operand().orElseThrow(() -> new UsageException("probe needs a file"));
        Path path = new RunArguments(line).localPath("FILE", file);
        if (Files.isDirectory(path)) {
            throw new UsageException(
                    "probe looks into a file, but " + file + " is a folder; jspdl inspect looks into those");
        }
        try {
            return print(FileProbe.of(path), line);
        } catch (DecodeException | FormatException damaged) {
            terminal.err().println("jspdl: " + file + ": " + damaged.getMessage());
        } catch (MediaException unreadable) {
            terminal.err()
                    .println("jspdl: " + unreadable.getMessage()
                            + (Files.exists(path) ? "; nor is it a known picture, array or archive" : ""));
        }
        return Main.FAILED;
    }

    private int print(Findings findings, CommandLine line) {
        terminal.out().print(line.has("--json") ? findings.json() : findings.table());
        return Main.DONE;
    }
}
