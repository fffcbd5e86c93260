package org.jspdl.pipeline.internal.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import java.util.zip.CRC32C;

/// The checksum that ends a checkpoint: the last member of its JSON object, over all text before it.
///
/// Any other character, anywhere, is found. White space around the whole does not count. It guards against damage,
/// not against who makes a checkpoint on purpose.
public final class CheckpointSeal {
    private static final String NAME = ",\"crc32c\":\"";
    private static final String END = "\"}";
    private static final int DIGITS = 8;
    /// How checkpoints began that had no checksum yet.
    private static final String UNSEALED = "{\"jspdl_checkpoint\":1,";

    private CheckpointSeal() {}

    /// Adds the checksum to a JSON object that is not empty.
    public static String sealed(String json) {
        String body = json.substring(0, json.length() - 1);
        return body + NAME + checksum(body) + END;
    }

    /// Refuses a text that does not end with its checksum.
    ///
    /// @throws IllegalArgumentException if the text was altered or cut off, or never was a checkpoint
    static void check(String text) {
        String whole = text.strip();
        int bodyEnd = whole.length() - NAME.length() - DIGITS - END.length();
        if (bodyEnd < 1 || !whole.startsWith(NAME, bodyEnd) || !whole.endsWith(END)) {
            if (whole.startsWith(UNSEALED) && whole.endsWith("}")) {
                throw otherFormat(1);
            }
            throw new IllegalArgumentException("checkpoint is damaged: its text of " + text.length()
                    + " characters does not end with its checksum; it was cut off or altered, or is no checkpoint."
                    + " Use an earlier one");
        }
        String found = whole.substring(bodyEnd + NAME.length(), whole.length() - END.length());
        String computed = checksum(whole.substring(0, bodyEnd));
        if (!found.equals(computed)) {
            throw new IllegalArgumentException("checkpoint is damaged: its checksum is " + found
                    + ", but that of its text of " + text.length() + " characters is " + computed
                    + "; it was altered. Use an earlier one");
        }
    }

    /// What is said of a checkpoint that another version of this library wrote.
    static IllegalArgumentException otherFormat(long format) {
        return new IllegalArgumentException("the checkpoint has format " + format + ", and this version of JSPDL reads"
                + " format " + StateJson.VERSION
                + " only. Finish the epoch with the version that wrote it, and start the"
                + " next epoch without a checkpoint; or start anew");
    }

    private static String checksum(String body) {
        CRC32C crc = new CRC32C();
        crc.update(body.getBytes(UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
