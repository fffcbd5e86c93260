package org.jspdl.data.internal.text;

import java.util.Comparator;

/// The order of texts by code points, which is that of their bytes in UTF-8: as Python sorts, `sort` in the locale C,
/// and the listings of object stores. `String.compareTo` compares UTF-16, in which U+1F600 comes before U+FF21: classes
/// would get other numbers than in other libraries.
public final class TextOrder implements Comparator<String> {
    /// The only one.
    public static final TextOrder BY_CODE_POINTS = new TextOrder();

    private TextOrder() {}

    @Override
    public int compare(String one, String other) {
        int least = Math.min(one.length(), other.length());
        for (int i = 0; i < least; ) {
            int a = one.codePointAt(i);
            int b = other.codePointAt(i);
            if (a != b) {
                return Integer.compare(a, b);
            }
            i += Character.charCount(a);
        }
        return Integer.compare(one.length(), other.length());
    }
}
