package org.jspdl.data.storage;

import java.io.File;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/// The names of local files as texts, the same under every locale, and the files of these names.
///
/// On Unix a name is bytes. Here its text is what these bytes say in UTF-8; each byte that is no part of UTF-8 is a
/// character U+DC80 to U+DCFF alone, as in Python's `surrogateescape`. So no two names have one text, and every file
/// that was listed can be opened, also where the locale has no such name (`LC_ALL=C`), for which `Path.toString` and
/// `Path.of` put or want other characters.
public final class FileNames {
    private static final String UTF_8 = "UTF-8";
    private static final char REPLACED = '\uFFFD';
    /// Byte 0x80 is U+DC80.
    private static final int ESCAPE = 0xDC00;

    /// Folders that systems keep beside users' data: what a file system has lost, thumbnails of network disks, what
    /// was thrown away, and what archives of macOS hold beside each file.
    private static final Set<String> OF_SYSTEMS =
            Set.of("lost+found", "@eaDir", "#recycle", "$RECYCLE.BIN", "System Volume Information", "__MACOSX");

    private FileNames() {}

    /// Whether a file or folder of this name is no part of a dataset: its name begins with a dot, or it
    /// [is a system's own][#isOfSystem].
    public static boolean isHidden(String name) {
        return name.startsWith(".") || isOfSystem(name);
    }

    /// Whether a folder of this name is what systems keep for themselves. It may hold pictures, or be closed to
    /// users.
    public static boolean isOfSystem(String name) {
        return OF_SYSTEMS.contains(name);
    }

    /// Whether Java takes names for UTF-8. Without a locale it takes them for ASCII; then names that are *given* to
    /// a program in other characters are lost before it sees them. Names that are found in folders are right in any
    /// locale.
    public static boolean areUtf8() {
        return encoding().equals(UTF_8);
    }

    static String encoding() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", UTF_8)).name();
    }

    /// What to do if a name that was given is not in the characters of the locale.
    public static String remedy() {
        return "a name there is not " + encoding() + ", which is how Java reads the names of files without a locale."
                + " Set the environment variable LC_ALL to C.UTF-8 before Java starts";
    }

    /// Why a text is no path.
    public static String reason(InvalidPathException impossible) {
        return impossible.getReason();
    }

    /// The text of a path.
    public static String text(Path path) {
        String said = path.toString();
        if (!areBytes() || isPlain(said)) {
            return said;
        }
        // A path in a URI is its bytes, whatever the locale is.
        String uri = Path.of("/").resolve(path).toUri().getRawPath();
        byte[] bytes = new byte[uri.length()];
        int length = 0;
        for (int i = uri.startsWith("//") ? 1 : 0; i < uri.length(); i++) {
            boolean escaped = uri.charAt(i) == '%';
            bytes[length++] = (byte) (escaped ? Integer.parseInt(uri, i + 1, i + 3, 16) : uri.charAt(i));
            i += escaped ? 2 : 0;
        }
        int first = path.isAbsolute() ? 0 : 1;
        int end = length > 1 && bytes[length - 1] == '/' ? length - 1 : length; // for a folder
        return text(bytes, first, Math.max(0, end - first));
    }

    /// The text of the last name of a path; empty for a root.
    public static String name(Path path) {
        Path last = path.getFileName();
        return last == null ? "" : text(last);
    }

    /// The path of a text.
    ///
    /// @throws InvalidPathException if it has a character 0, or half of a surrogate pair that stands for no byte
    public static Path path(String text) {
        if (!areBytes() || isAscii(text) || (isPlain(text) && !hasLone(text))) {
            return Path.of(text);
        }
        StringBuilder uri = new StringBuilder("file:///");
        for (byte each : bytes(text)) {
            if (each == 0) {
                throw new InvalidPathException(text, "Nul character not allowed");
            }
            if ((each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '/') {
                uri.append((char) each);
            } else {
                uri.append('%');
                uri.append(Character.toUpperCase(Character.forDigit((each >> 4) & 15, 16)));
                uri.append(Character.toUpperCase(Character.forDigit(each & 15, 16)));
            }
        }
        Path absolute = Path.of(URI.create(uri.toString()));
        return text.startsWith("/") ? absolute : absolute.subpath(0, absolute.getNameCount());
    }

    /// What is called `name` in `folder`; `name` itself if it is absolute.
    ///
    /// @throws InvalidPathException as [#path]
    public static Path resolve(Path folder, String name) {
        return folder.resolve(path(name));
    }

    /// The bytes of a text: UTF-8, with each character that stands for a byte as that byte.
    ///
    /// @throws InvalidPathException if it has half of a surrogate pair that stands for no byte
    public static byte[] bytes(String text) {
        if (!hasLone(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i); // half of a pair if it stands alone
            int units = Character.charCount(c);
            if (units == 2 || c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                bytes.put(text.substring(i, i + units).getBytes(StandardCharsets.UTF_8));
            } else if (isEscape((char) c)) {
                bytes.put((byte) (c - ESCAPE));
            } else {
                throw new InvalidPathException(text, "half of a surrogate pair", i);
            }
            i += units;
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    /// The text of bytes.
    public static String text(byte[] bytes, int offset, int length) {
        String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
        return text.indexOf(REPLACED) < 0 ? text : escaped(ByteBuffer.wrap(bytes, offset, length));
    }

    private static String escaped(ByteBuffer bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder(); // reports what is malformed
        CharBuffer text = CharBuffer.allocate(bytes.remaining());
        for (CoderResult result = decoder.decode(bytes, text, true);
                result.isError();
                result = decoder.decode(bytes, text, true)) {
            for (int i = result.length(); i > 0; i--) {
                text.put((char) (ESCAPE + (bytes.get() & 0xFF)));
            }
        }
        return text.flip().toString();
    }

    /// `text` with the bytes that are no UTF-8 as `\xff`, and all else as it is: for what is only read, such as the
    /// name of a class.
    public static String shown(String text) {
        if (!hasLone(text)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (c <= Character.MAX_VALUE && isEscape((char) c)) {
                shown.append(String.format(Locale.ROOT, "\\x%02x", c & 0xFF));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /// Whether `c`, if it is not the second half of a pair, stands for a byte that is no part of UTF-8.
    static boolean isEscape(char c) {
        return c >= ESCAPE + 0x80 && c <= ESCAPE + 0xFF;
    }

    private static boolean hasLone(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == text.length() || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    return true;
                }
                i++;
            }
        }
        return false;
    }

    /// Whether Java's own text of a path is right: where it reads names as UTF-8, and replaced nothing.
    private static boolean isPlain(String said) {
        return isAscii(said) || (areUtf8() && said.indexOf(REPLACED) < 0);
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /// Windows has names of characters.
    private static boolean areBytes() {
        return File.separatorChar == '/';
    }
}
