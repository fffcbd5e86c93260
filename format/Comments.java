import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Breaks `//` and `///` comments that are wider than a page, and keeps all others as they are.
///
/// What does not fit moves to the next line of the same paragraph. Fenced code is left alone.
final class Comments {
    private static final Pattern COMMENT = Pattern.compile("(\\s*///?)( ?)(.*)");
    private static final Pattern STARTS_A_BLOCK = Pattern.compile("\\s*([*|#>@-]|```|\\d+\\.|$).*");
    private static final Pattern LIST_ITEM = Pattern.compile("(\\s*)([*-] |\\d+\\. ).*");

    private Comments() {}

    static String fill(String source, int columns) {
        Deque<String> todo = new ArrayDeque<>(source.lines().toList());
        List<String> done = new ArrayList<>();
        boolean inCode = false;
        while (!todo.isEmpty()) {
            String line = todo.removeFirst();
            Matcher comment = COMMENT.matcher(line);
            boolean isComment = comment.matches();
            if (isComment && comment.group(3).startsWith("```")) {
                inCode = !inCode;
            }
            inCode &= isComment;
            // The formatter counts a comment's indent twice, and breaks longer ones without a marker on the
            // new line.
            int most = columns - (isComment ? comment.group(1).indexOf('/') : 0);
            int cut = isComment && !inCode && line.length() > most ? line.lastIndexOf(' ', most) : -1;
            if (cut < 0 || cut < comment.end(2)) {
                done.add(line);
            } else {
                done.add(line.substring(0, cut));
                todo.addFirst(rest(comment, line.substring(cut + 1), todo));
            }
        }
        return String.join("\n", done) + "\n";
    }

    /// The words that did not fit, in front of the next line if that goes on with the same paragraph.
    private static String rest(Matcher comment, String words, Deque<String> todo) {
        String marker = comment.group(1) + " ";
        Matcher next = COMMENT.matcher(todo.isEmpty() ? "" : todo.peekFirst());
        if (next.matches()
                && next.group(1).equals(comment.group(1))
                && !STARTS_A_BLOCK.matcher(next.group(3)).matches()) {
            todo.removeFirst();
            String text = next.group(3).stripLeading();
            return marker + next.group(3).substring(0, next.group(3).length() - text.length()) + words + " " + text;
        }
        return marker + hangingIndent(comment.group(3)) + words;
    }

    private static String hangingIndent(String text) {
        Matcher item = LIST_ITEM.matcher(text);
        if (item.matches()) {
            return " ".repeat(item.end(2));
        }
        int indent = text.length() - text.stripLeading().length();
        return " ".repeat(text.stripLeading().startsWith("@") ? indent + 4 : indent);
    }
}
