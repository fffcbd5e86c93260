package org.jspdl.observe.report;

import java.time.Duration;
import java.util.Locale;
import org.jspdl.json.JsonWriter;
import org.jspdl.observe.text.Figures;

/// A value of a report: with its unit for people, as a plain number in SI units for programs.
public sealed interface Value {
    /// For people; empty if unknown.
    String text();

    /// Writes the value for programs.
    void json(JsonWriter json);

    /// Words.
    record Words(String text) implements Value {
        @Override
        public void json(JsonWriter json) {
            json.value(text);
        }
    }

    /// How many.
    record Count(long number) implements Value {
        @Override
        public String text() {
            return Figures.count(number);
        }

        @Override
        public void json(JsonWriter json) {
            json.value(number);
        }
    }

    /// How many per second.
    ///
    /// @param of what is counted; empty where a heading says so
    record Rate(double perSecond, String of) implements Value {
        @Override
        public String text() {
            return Figures.rate(perSecond) + (of.isEmpty() ? "" : " " + of + "/s");
        }

        @Override
        public void json(JsonWriter json) {
            json.value(perSecond);
        }
    }

    /// A time; seconds in JSON.
    record Time(Duration time) implements Value {

        @Override
        public String text() {
            return Figures.time(time);
        }

        @Override
        public void json(JsonWriter json) {
            json.value(time.toNanos() / 1e9);
        }
    }

    /// A part of a whole: percent for people, from 0 to 1 in JSON.
    record Share(double part) implements Value {
        @Override
        public String text() {
            return Figures.share(part);
        }

        @Override
        public void json(JsonWriter json) {
            json.value(part);
        }
    }

    /// A size.
    record Bytes(long bytes) implements Value {
        @Override
        public String text() {
            return bytes < 0 ? "" : Figures.bytes(bytes);
        }

        @Override
        public void json(JsonWriter json) {
            json.value(bytes);
        }
    }

    /// Any other number.
    ///
    /// @param unit what stands behind it for people
    record Decimal(double number, String unit) implements Value {
        @Override
        public String text() {
            return String.format(Locale.ROOT, "%.2f", number) + (unit.isEmpty() ? "" : " " + unit);
        }

        @Override
        public void json(JsonWriter json) {
            json.value(number);
        }
    }

    /// Yes or no.
    record Flag(boolean is) implements Value {
        @Override
        public String text() {
            return is ? "yes" : "no";
        }

        @Override
        public void json(JsonWriter json) {
            json.value(is);
        }
    }

    /// Not known: null in JSON.
    record Unknown() implements Value {
        @Override
        public String text() {
            return "";
        }

        @Override
        public void json(JsonWriter json) {
            json.value((String) null);
        }
    }

    /// A value for programs that is shown in other words.
    record Shown(Value value, String text) implements Value {
        @Override
        public void json(JsonWriter json) {
            value.json(json);
        }
    }
}
