package org.jspdl.plan.internal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Hides what may be secret in addresses, where a plan is quoted: the query, which may be a signature, and a user with
/// a password.
public final class AddressMask {
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,30}+://[^\\s'\"]*+");

    private AddressMask() {}

    /// `text` with dots in place of secrets, as many as there were characters, so that columns stay.
    public static String of(String text) {
        if (!text.contains("://")) {
            return text;
        }
        StringBuilder masked = new StringBuilder(text);
        Matcher address = ADDRESS.matcher(text);
        while (address.find()) {
            int begin = text.indexOf("://", address.start()) + 3;
            int end = address.end();
            int slash = text.indexOf('/', begin);
            int authority = slash < 0 || slash > end ? end : slash;
            hide(masked, begin, text.lastIndexOf('@', authority - 1));
            int query = text.indexOf('?', begin);
            hide(masked, query < 0 || query >= end ? end : query + 1, end);
        }
        return masked.toString();
    }

    private static void hide(StringBuilder text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Character.isSurrogate(text.charAt(i))) {
                text.setCharAt(i, '.');
            }
        }
    }
}
