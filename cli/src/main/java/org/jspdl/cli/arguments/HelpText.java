package org.jspdl.cli.arguments;

/// The help of a command, in at most 100 columns.
public final class HelpText {
    private static final int COLUMNS = 100;
    private static final int MARGIN = 27;

    private HelpText() {}

    /// The text for `spec`, ending with a line break.
    public static String of(CommandSpec spec) {
        StringBuilder text = new StringBuilder(4096);
        text.append("Usage: jspdl ")
                .append(spec.name())
                .append(spec.operand().isEmpty() ? "" : " [" + spec.operand() + "]")
                .append(" [options]\n\n");
        wrap(text, spec.summary(), 0, 0);
        for (CommandSpec.Group group : spec.groups()) {
            text.append('\n').append(group.title()).append('\n');
            for (Option option : group.options()) {
                String usage = "  " + option.usage();
                text.append(usage);
                if (usage.length() >= MARGIN - 1) {
                    text.append('\n');
                    wrap(text, option.help(), MARGIN, 0);
                } else {
                    wrap(text, option.help(), MARGIN, usage.length());
                }
            }
        }
        spec.closing().forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static void wrap(StringBuilder text, String sentence, int margin, int firstColumn) {
        int column = pad(text, firstColumn, margin);
        boolean atMargin = true;
        for (String word : sentence.split(" ", -1)) {
            if (!atMargin && column + 1 + word.length() > COLUMNS) {
                text.append('\n');
                column = pad(text, 0, margin);
                atMargin = true;
            }
            text.append(atMargin ? "" : " ").append(word);
            column += word.length() + (atMargin ? 0 : 1);
            atMargin = false;
        }
        text.append('\n');
    }

    private static int pad(StringBuilder text, int from, int to) {
        text.append(" ".repeat(to - from));
        return to;
    }
}
