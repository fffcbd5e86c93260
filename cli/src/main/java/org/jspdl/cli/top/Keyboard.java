package org.jspdl.cli.top;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The keys of a terminal, one by one: `stty` ends its habit of waiting for whole lines. Closing restores it.
///
/// Without a terminal or `stty` there are no keys. Used by one thread.
public final class Keyboard implements AutoCloseable {
    private static final long STTY_SECONDS = 2;
    private static final int ESCAPE = 27;
    /// The bytes of one key come together.
    private static final long SEQUENCE_NANOS = Duration.ofMillis(50).toNanos();

    private final BlockingQueue<Integer> keys = new LinkedBlockingQueue<>();
    private final String before;

    private Keyboard(String before) {
        this.before = before;
    }

    /// The keyboard of this process.
    public static Keyboard open() throws InterruptedException {
        Keyboard keyboard = new Keyboard(stty("-g").strip());
        if (!keyboard.before.isEmpty()) {
            stty("-icanon", "-echo");
            Thread reader = new Thread(keyboard::read, "jspdl-keyboard");
            // Nothing interrupts a read of standard input.
            reader.setDaemon(true);
            reader.start();
        }
        return keyboard;
    }

    private void read() {
        try {
            for (int key = System.in.read(); key >= 0; key = System.in.read()) {
                keys.add(key);
            }
        } catch (IOException closed) {
            // No more keys.
        }
    }

    /// The next key, if one is pressed within `patience`. The arrows up and down are `k` and `j`.
    public Optional<Character> next(Duration patience) throws InterruptedException {
        Integer key = keys.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        if (key == null || key != ESCAPE) {
            return Optional.ofNullable(key).map(code -> (char) (int) code);
        }
        Integer bracket = keys.poll(SEQUENCE_NANOS, TimeUnit.NANOSECONDS);
        Integer arrow = bracket == null ? null : keys.poll(SEQUENCE_NANOS, TimeUnit.NANOSECONDS);
        return arrow == null
                ? Optional.of((char) ESCAPE)
                : Optional.of(
                        switch ((char) (int) arrow) {
                            case 'A' -> 'k';
                            case 'B' -> 'j';
                            default -> (char) ESCAPE;
                        });
    }

    /// A terminal's size, in characters.
    public record Size(int rows, int columns) {}

    /// The size of the terminal now; empty if there is none.
    public static Optional<Size> size() throws InterruptedException {
        String[] size = stty("size").strip().split(" ", -1);
        try {
            Size known =
                    size.length == 2 ? new Size(Integer.parseInt(size[0]), Integer.parseInt(size[1])) : new Size(0, 0);
            return known.rows > 0 && known.columns > 0 ? Optional.of(known) : Optional.empty();
        } catch (NumberFormatException none) {
            return Optional.empty();
        }
    }

    /// What `stty` prints; nothing if there is no terminal.
    private static String stty(String... words) throws InterruptedException {
        String[] command = new String[words.length + 1];
        command[0] = "stty";
        System.arraycopy(words, 0, command, 1, words.length);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (InputStream out = process.getInputStream()) {
                String printed = new String(out.readNBytes(4096), StandardCharsets.US_ASCII);
                return process.waitFor(STTY_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0 ? printed : "";
            } finally {
                process.destroy();
            }
        } catch (IOException missing) {
            return "";
        }
    }

    @Override
    public void close() {
        if (before.isEmpty()) {
            return;
        }
        boolean interrupted = Thread.interrupted();
        try {
            stty(before);
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
