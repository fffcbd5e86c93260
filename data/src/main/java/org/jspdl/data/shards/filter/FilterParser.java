package org.jspdl.data.shards.filter;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspdl.data.shards.filter.Condition.Comparison;
import org.jspdl.data.shards.filter.Condition.Operand;
import org.jspdl.data.shards.filter.Condition.Operator;
import org.jspecify.annotations.Nullable;

/// Reads the text of a [RowFilter], once.
final class FilterParser {
    /// Comparisons that one filter may have; each is made for each row.
    private static final int MOST_COMPARISONS = 1_000;
    private static final int DEEPEST = 64;
    private static final int LONGEST = 1 << 20;
    private static final int SHOWN = 200;
    private static final int MOST_DIGITS = 1_000; // else comparing takes forever

    private static final Pattern SIGN = Pattern.compile("<=|>=|<>|!=|==|=|<|>");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,9})?(?![\\p{L}\\p{N}_.])");
    private static final Pattern WORD = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.]*");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "not", "in", "is", "null", "true", "false");

    private final String text;
    private int at;
    private int comparisons;

    FilterParser(String text) {
        this.text = text;
    }

    Condition parse() {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("a filter may have 1,048,576 characters but has "
                    + String.format(Locale.ROOT, "%,d", text.length()));
        }
        Condition condition = any(0);
        if (at < text.length()) {
            throw wrong("'and', 'or' or the end");
        }
        return condition;
    }

    private Condition any(int depth) {
        return joined("or", depth, Condition.Or::new, () -> all(depth));
    }

    private Condition all(int depth) {
        return joined("and", depth, Condition.And::new, () -> one(depth));
    }

    /// What stands between two words.
    @FunctionalInterface
    private interface Part {
        Condition read();
    }

    private Condition joined(String word, int depth, Function<List<Condition>, Condition> join, Part part) {
        if (depth > DEEPEST) {
            throw wrong("at most " + DEEPEST + " parentheses within each other");
        }
        List<Condition> parts = new ArrayList<>(List.of(part.read()));
        while (takesWord(word)) {
            parts.add(part.read());
        }
        return parts.size() == 1 ? parts.getFirst() : join.apply(parts);
    }

    private Condition one(int depth) {
        if (takesWord("not")) {
            if (depth > DEEPEST) {
                throw wrong("at most " + DEEPEST + " times 'not'");
            }
            return new Condition.Not(one(depth + 1));
        }
        if (takes("(")) {
            Condition inner = any(depth + 1);
            require(")");
            return inner;
        }
        String column = column();
        if (takesWord("is")) {
            boolean not = takesWord("not");
            if (!takesWord("null")) {
                throw wrong("'null'");
            }
            Condition isNull = new Condition.IsNull(column);
            return not ? new Condition.Not(isNull) : isNull;
        }
        if (takesWord("not")) {
            if (!takesWord("in")) {
                throw wrong("'in'");
            }
            return new Condition.Not(in(column));
        }
        return takesWord("in") ? in(column) : comparison(column, operator());
    }

    private Condition in(String column) {
        require("(");
        List<Condition> any = new ArrayList<>();
        do {
            any.add(comparison(column, Operator.EQUAL));
        } while (takes(","));
        require(")");
        return any.size() == 1 ? any.getFirst() : new Condition.Or(any);
    }

    private Comparison comparison(String column, Operator operator) {
        if (++comparisons > MOST_COMPARISONS) {
            throw wrong("at most 1,000 comparisons");
        }
        return new Comparison(column, operator, operand());
    }

    private String column() {
        String expected = "a comparison such as label >= 10 or lang = 'de'";
        String quoted = takesQuoted('"', expected);
        if (quoted != null && !quoted.isEmpty()) {
            return quoted;
        }
        Matcher name = match(WORD);
        if (quoted != null || name == null || KEYWORDS.contains(name.group().toLowerCase(Locale.ROOT))) {
            throw wrong(expected);
        }
        at = name.end();
        return name.group();
    }

    /// What stands between two quotes, of which one within is written twice; null if no quote is next.
    private @Nullable String takesQuoted(char quote, String expected) {
        passSpace();
        if (at == text.length() || text.charAt(at) != quote) {
            return null;
        }
        StringBuilder inside = new StringBuilder();
        for (int i = at + 1; i < text.length(); i++) {
            if (text.charAt(i) != quote) {
                inside.append(text.charAt(i));
            } else if (i + 1 < text.length() && text.charAt(i + 1) == quote) {
                inside.append(quote);
                i++;
            } else {
                at = i + 1;
                return inside.toString();
            }
        }
        throw wrong(expected);
    }

    private Operator operator() {
        Matcher sign = match(SIGN);
        if (sign == null) {
            throw wrong("one of = != < <= > >= in is");
        }
        at = sign.end();
        return switch (sign.group()) {
            case "=", "==" -> Operator.EQUAL;
            case "<" -> Operator.LESS;
            case "<=" -> Operator.AT_MOST;
            case ">" -> Operator.GREATER;
            case ">=" -> Operator.AT_LEAST;
            default -> Operator.NOT_EQUAL;
        };
    }

    private Operand operand() {
        String expected = "a number, a text in single quotes, true or false";
        String quoted = takesQuoted('\'', expected);
        if (quoted != null) {
            return new Operand.Text(quoted);
        }
        if (takesWord("true")) {
            return new Operand.Truth(true);
        }
        if (takesWord("false")) {
            return new Operand.Truth(false);
        }
        Matcher number = match(NUMBER);
        if (number != null && number.group().length() <= MOST_DIGITS) {
            BigDecimal value = new BigDecimal(number.group());
            if (Math.abs((long) value.scale()) <= MOST_DIGITS) {
                at = number.end();
                return new Operand.Numeric(value);
            }
        }
        throw wrong(expected);
    }

    private boolean takesWord(String word) {
        Matcher found = match(WORD);
        if (found == null || !found.group().equalsIgnoreCase(word)) {
            return false;
        }
        at = found.end();
        return true;
    }

    private boolean takes(String sign) {
        passSpace();
        if (!text.startsWith(sign, at)) {
            return false;
        }
        at += sign.length();
        return true;
    }

    private void require(String sign) {
        if (!takes(sign)) {
            throw wrong("'" + sign + "'");
        }
    }

    private @Nullable Matcher match(Pattern pattern) {
        passSpace();
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        return matcher.lookingAt() ? matcher : null;
    }

    private void passSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String expected) {
        passSpace();
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        return new IllegalArgumentException(
                "the filter \"" + shown + "\" is wrong at character " + (at + 1) + ": expected " + expected);
    }
}
