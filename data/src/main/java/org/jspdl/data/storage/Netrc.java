package org.jspdl.data.storage;

import java.util.ArrayList;
import java.util.List;

/// Names and passwords for hosts, as `ftp`, `curl` and Git keep them in `.netrc`: words, between which there is any
/// white space. A password may stand in double quotes.
final class Netrc {
    private final String text;
    private int at;

    /// Who somebody is at one host.
    record Login(String machine, String user, String password) {
        @Override
        public String toString() {
            return machine;
        }
    }

    private Netrc(String text) {
        this.text = text;
    }

    /// What there is for hosts by name; machines without a password are left out.
    static List<Login> parse(String text) {
        return new Netrc(text).logins();
    }

    private List<Login> logins() {
        List<Login> logins = new ArrayList<>();
        String machine = "";
        String user = "";
        String password = "";
        for (String word = next(); !word.isEmpty(); word = next()) {
            switch (word) {
                case "machine", "default" -> {
                    add(logins, machine, user, password);
                    machine = word.equals("machine") ? next() : "";
                    user = "";
                    password = "";
                }
                case "login" -> user = next();
                case "password" -> password = next();
                case "account" -> next();
                case "macdef" -> skipMacro();
                default -> {} // what else there may be
            }
        }
        add(logins, machine, user, password);
        return logins;
    }

    private static void add(List<Login> logins, String machine, String user, String password) {
        if (!machine.isEmpty() && !password.isEmpty()) {
            logins.add(new Login(machine, user, password));
        }
    }

    /// A macro ends with an empty line.
    private void skipMacro() {
        int end = text.indexOf("\n\n", at);
        at = end < 0 ? text.length() : end;
    }

    /// The next word; empty at the end.
    private String next() {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '#')) {
            at = text.charAt(at) == '#' ? endOfLine() : at + 1;
        }
        if (at < text.length() && text.charAt(at) == '"') {
            return quoted();
        }
        int begin = at;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.substring(begin, at);
    }

    private String quoted() {
        StringBuilder word = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                at++;
            }
            word.append(text.charAt(at));
        }
        at++;
        return word.toString();
    }

    private int endOfLine() {
        int end = text.indexOf('\n', at);
        return end < 0 ? text.length() : end;
    }
}
