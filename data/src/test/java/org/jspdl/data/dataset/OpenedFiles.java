package org.jspdl.data.dataset;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspdl.data.storage.Storage;

/// A process that opens the images at a location and says what they are, or why it cannot.
final class OpenedFiles {
    private OpenedFiles() {}

    public static void main(String[] arguments) throws Exception {
        try (Storage storage = Storage.open()) {
            LabeledFiles files = LabeledFiles.images(storage, arguments[0]);
            LabeledFile last = files.get(files.size() - 1);
            boolean exists = Files.exists(last.location().path());
            System.out.println(files + "; the last" + (exists ? ", which exists, is " : " is ") + last.location() + " "
                    + last.label());
        } catch (DatasetException unusable) {
            System.out.println("refused: " + unusable.getMessage());
        }
    }
}
