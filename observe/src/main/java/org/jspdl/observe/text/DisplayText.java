package org.jspdl.observe.text;

/// Text as a terminal shows it: how many columns it takes, and what fits into some. East Asian characters and pictures
/// take two columns, marks that are set over the letter before take none.
public final class DisplayText {
    private static final int[][] WIDE = {
        {0x1100, 0x115f},
        {0x231a, 0x231b},
        {0x2e80, 0x303e},
        {0x3041, 0x33ff},
        {0x3400, 0x4dbf},
        {0x4e00, 0x9fff},
        {0xa000, 0xa4cf},
        {0xa960, 0xa97f},
        {0xac00, 0xd7a3},
        {0xf900, 0xfaff},
        {0xfe30, 0xfe6f},
        {0xff01, 0xff60},
        {0xffe0, 0xffe6},
        {0x16fe0, 0x18cff},
        {0x1b000, 0x1b2ff},
        {0x1f004, 0x1f004},
        {0x1f0cf, 0x1f0cf},
        {0x1f18e, 0x1f19a},
        {0x1f200, 0x1f320},
        {0x1f32d, 0x1f64f},
        {0x1f680, 0x1f6ff},
        {0x1f7e0, 0x1f7eb},
        {0x1f90c, 0x1f9ff},
        {0x1fa70, 0x1faff},
        {0x20000, 0x3fffd}
    };

    private DisplayText() {}

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~') {
                return false;
            }
        }
        return true;
    }

    /// How many columns the text takes.
    public static int width(String text) {
        if (isAscii(text)) {
            return text.length();
        }
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            width += width(c);
            i += Character.charCount(c);
        }
        return width;
    }

    private static int width(int c) {
        if (c < 0x300) {
            return 1;
        }
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    private static boolean isWide(int c) {
        for (int[] range : WIDE) {
            if (c <= range[1]) {
                return c >= range[0];
            }
        }
        return false;
    }

    /// As much of the text's beginning as fits.
    public static String cut(String text, int columns) {
        if (text.length() <= columns && isAscii(text)) {
            return text;
        }
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            width += width(c);
            if (width > columns) {
                return text.substring(0, i);
            }
            i += Character.charCount(c);
        }
        return text;
    }

    /// The text if it fits; else its beginning and its end, which tells parts of one thing apart.
    public static String squeezed(String text, int columns, boolean unicode) {
        if (width(text) <= columns) {
            return text;
        }
        String head = cut(text, (columns - 1) / 2);
        int left = columns - 1 - width(head);
        int from = text.length();
        int width = 0;
        while (from > head.length()) {
            int c = text.codePointBefore(from);
            width += width(c);
            if (width > left) {
                break;
            }
            from -= Character.charCount(c);
        }
        return columns < 1 ? "" : head + (unicode ? "…" : "~") + text.substring(from);
    }

    /// The text, cut or with spaces behind it, in exactly so many columns.
    public static String padded(String text, int columns) {
        String cut = cut(text, columns);
        return cut + " ".repeat(Math.max(0, columns - width(cut)));
    }
}
