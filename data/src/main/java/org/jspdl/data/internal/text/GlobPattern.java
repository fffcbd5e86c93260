package org.jspdl.data.internal.text;

import java.util.regex.Pattern;

/// Names written with `*`, `?` and `[...]`, as shells do: none of them means a slash, but `**/` means any folders.
///
/// @param folder what lies before the first part with such a character: where to look
/// @param names  what a whole location must look like
/// @param depth  how many folders below `folder` such a location may lie
public record GlobPattern(String folder, Pattern names, int depth) {

    /// Whether a location is such a pattern.
    public static boolean is(String text) {
        return firstSpecial(text) < text.length();
    }

    public boolean matches(String location) {
        return names.matcher(location.startsWith("./") && folder.equals(".") ? location.substring(2) : location)
                .matches();
    }

    private static int firstSpecial(String text) {
        int at = 0;
        while (at < text.length() && "*?[".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    public static GlobPattern of(String text) {
        int slash = text.lastIndexOf('/', firstSpecial(text));
        StringBuilder regex = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            int close = c == '[' ? text.indexOf(']', at + 2) : -1;
            if (c == '*' && text.startsWith("**/", at)) {
                regex.append("(?:.*/)?");
                at += 2;
            } else if (c == '*') {
                regex.append("[^/]*");
            } else if (c == '?') {
                regex.append("[^/]");
            } else if (close > 0) {
                String inside = text.substring(at + 1, close);
                boolean not = inside.startsWith("!");
                regex.append(not ? "[^/" : "[")
                        .append((not ? inside.substring(1) : inside).replaceAll("[\\[\\]\\\\^&]", "\\\\$0"))
                        .append(']');
                at = close;
            } else {
                regex.append(Pattern.quote(String.valueOf(c)));
            }
        }
        String behind = text.substring(slash + 1);
        return new GlobPattern(
                slash < 0 ? "." : text.substring(0, Math.max(1, slash)),
                Pattern.compile(regex.toString()),
                behind.contains("**/")
                        ? Integer.MAX_VALUE
                        : (int) behind.chars().filter(c -> c == '/').count());
    }
}
