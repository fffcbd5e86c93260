package org.jspdl.data.storage;

import java.util.Locale;

/// Text from elsewhere as it may be shown: nothing of it controls a terminal, begins a line of its own, or turns the
/// direction of what follows.
public final class Printable {
    private Printable() {}

    /// `text` with control and format characters as escapes, such as `\u001b`, and bytes of names of
    /// files that are no UTF-8 as `\xff`; the same if there are none.
    public static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isHidden(text.charAt(i))) {
                return escaped(text, i);
            }
            if (Character.isSurrogate(text.charAt(i))) {
                if (isLone(text, i)) {
                    return escaped(text, i);
                }
                i++;
            }
        }
        return text;
    }

    private static String escaped(String text, int first) {
        StringBuilder shown = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c) && !isLone(text, i)) {
                shown.append(text, i, i + 2);
                i++;
            } else if (FileNames.isEscape(c)) {
                shown.append(String.format(Locale.ROOT, "\\x%02x", c & 0xFF));
            } else if (isHidden(c) || Character.isSurrogate(c)) {
                shown.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    private static boolean isLone(String text, int at) {
        return at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }

    /// Whether `c` does something to a terminal instead of being seen there.
    public static boolean isHidden(char c) {
        if (c >= ' ' && c < 127) {
            return false;
        }
        return Character.isISOControl(c)
                || switch (Character.getType(c)) {
                    case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
                    default -> false;
                };
    }
}
