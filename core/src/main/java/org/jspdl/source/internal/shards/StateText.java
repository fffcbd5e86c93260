package org.jspdl.source.internal.shards;

/// The text in which a source keeps what it needs to find a place again: numbers and texts, each ended by a comma.
final class StateText {
    private StateText() {}

    /// Writes a state.
    static final class Writer {
        private final StringBuilder text = new StringBuilder(64);

        Writer number(long value) {
            text.append(value).append(',');
            return this;
        }

        /// A text with any characters, behind its length.
        Writer text(String value) {
            text.append(value.length()).append(',').append(value).append(',');
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /// Reads a state, which may come from a damaged file.
    static final class Reader {
        private final String text;
        private final String what;
        private int next;

        /// @param what names what a text that is refused is not a place of
        Reader(String text, String what) {
            this.text = text;
            this.what = what;
        }

        /// A number from 0 to `most`.
        int number(int most) {
            long value = longNumber();
            if (value > most) {
                throw refused();
            }
            return (int) value;
        }

        long longNumber() {
            int end = text.indexOf(',', next);
            if (end < 0) {
                throw refused();
            }
            try {
                long value = Long.parseLong(text, next, end, 10);
                next = end + 1;
                if (value >= 0) {
                    return value;
                }
            } catch (NumberFormatException notNumber) {
                // refused below
            }
            throw refused();
        }

        /// How many characters are left, which bounds how many values are.
        int left() {
            return text.length() - next;
        }

        String text() {
            int length = number(text.length());
            int end = next + length;
            if (end >= text.length() || text.charAt(end) != ',') {
                throw refused();
            }
            String value = text.substring(next, end);
            next = end + 1;
            return value;
        }

        IllegalArgumentException refused() {
            return new IllegalArgumentException("'" + text + "' is not a place of " + what);
        }
    }
}
