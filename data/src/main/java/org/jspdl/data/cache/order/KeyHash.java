package org.jspdl.data.cache.order;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The name of the file of a key: two keys never share one, and the entries of one object begin alike. A key that has
/// an `@` is that of a part of the object which the rest names.
public final class KeyHash {
    private static final int OBJECT_DIGITS = 16;
    private static final Pattern OLD = Pattern.compile("([0-9a-f]{2})/\\1[0-9a-f]{38}");

    private KeyHash() {}

    /// The name of the file of a key.
    public static String of(String key) {
        int part = key.indexOf('@') + 1;
        return digest(key.substring(part), OBJECT_DIGITS / 2) + digest(key, 20);
    }

    /// The number of the object that a key is of.
    public static long object(String key) {
        return objectOf(digest(key.substring(key.indexOf('@') + 1), OBJECT_DIGITS / 2));
    }

    /// The number of the object that an entry is of.
    public static long objectOf(String name) {
        return Long.parseUnsignedLong(name, 0, Math.min(OBJECT_DIGITS, name.length()), 16);
    }

    /// Whether the path of a file below the entries is one that an earlier version gave them.
    public static boolean isOldName(String path) {
        return OLD.matcher(path).matches();
    }

    private static String digest(String text, int bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
