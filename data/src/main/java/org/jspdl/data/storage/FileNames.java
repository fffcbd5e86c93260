package org.jspdl.data.storage;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;

/// How Java reads and writes the names of files here: by the locale, with which the process was started.
public final class FileNames {
    private static final String UTF_8 = "UTF-8";

    private FileNames() {}

    /// Whether names are UTF-8. Without a locale they are ASCII, and files of other names cannot be opened.
    public static boolean areUtf8() {
        return encoding().equals(UTF_8);
    }

    private static String encoding() {
        return Charset.forName(System.getProperty("sun.jnu.encoding", UTF_8)).name();
    }

    /// What to do if names are not UTF-8, and are not ASCII either.
    public static String remedy() {
        return "a name there is not " + encoding() + ", which is how Java reads the names of files without a locale."
                + " Set the environment variable LC_ALL to C.UTF-8 before Java starts";
    }

    /// Why a text is no path.
    public static String reason(InvalidPathException impossible) {
        return impossible.getReason() + (areUtf8() ? "" : "; " + remedy());
    }
}
