package org.jspdl.data.cache;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.cache.order.KeyHash;

/// What one machine asks another's cache for: bytes of an object in one version. The name holds no address and no
/// secret, for both are hashed.
///
/// @param entry    the name of the entry's file, of its key alone
/// @param identity SHA-256 of key and version, in hexadecimal digits
record PieceName(String entry, String identity) {
    private static final String PREFIX = "/v1/entries/";
    private static final Pattern PATH = Pattern.compile(PREFIX + "([0-9a-f]{56})/([0-9a-f]{64})");

    /// @param version not empty
    static PieceName of(String key, String version) {
        return new PieceName(
                KeyHash.of(key),
                identity(key.getBytes(StandardCharsets.UTF_8), version.getBytes(StandardCharsets.UTF_8)));
    }

    /// The piece that a request's path names; empty if it names none.
    static Optional<PieceName> parse(String path) {
        Matcher matcher = PATH.matcher(path);
        return matcher.matches() ? Optional.of(new PieceName(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    String path() {
        return PREFIX + entry + "/" + identity;
    }

    /// Whether an entry is of this key and this version. One whose version is not known is of none.
    boolean isOf(Entry.Head head) {
        return head.version().length > 0 && identity.equals(identity(head.key(), head.version()));
    }

    private static String identity(byte[] key, byte[] version) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(key.length).array());
            digest.update(key);
            return HexFormat.of().formatHex(digest.digest(version));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
