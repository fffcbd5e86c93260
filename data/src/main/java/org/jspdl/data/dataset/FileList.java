package org.jspdl.data.dataset;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import org.jspdl.data.internal.text.TextLines;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// Reads a list of files: one path and label on each line, with a tab (or else the last space) between them.
///
/// Paths are relative to the list's folder, or say themselves where they lie. Labels are all class numbers, or else
/// class names, which are numbered in the order of the names. Empty lines are passed over. Lines with the
/// path of an image alone are a dataset without labels.
final class FileList {
    private final Location list;
    private final ClassNumbers files;

    private FileList(Location list) {
        this.list = list;
        this.files = new ClassNumbers("the file list " + list);
    }

    static LabeledFiles read(Storage storage, Location location) throws IOException {
        FileList list = new FileList(location);
        try (WholeText text = WholeText.read(storage, location)) {
            TextLines lines = new TextLines(text.bytes());
            int number = 1;
            for (String line = lines.next(); line != null; line = lines.next()) {
                list.add(line.strip(), number++);
            }
        } catch (CharacterCodingException notText) {
            throw new DatasetException(
                    "the file list " + list.list + " is not UTF-8 text; a dataset is a folder or a list of files",
                    notText);
        }
        if (list.files.size() == 0) {
            throw new DatasetException("the file list " + list.list + " is empty");
        }
        return list.files.build(location.parent());
    }

    private void add(String line, int number) throws DatasetException {
        if (line.isEmpty()) {
            return;
        }
        int separator = line.indexOf('\t') >= 0 ? line.lastIndexOf('\t') : line.lastIndexOf(' ');
        if (line.indexOf('\0') < 0 && FileKind.IMAGE.isCalledAsSample(line)) {
            unlabeled(line, number);
            return;
        }
        if (separator < 0 || line.indexOf('\0') >= 0) {
            throw new DatasetException("the file list " + list + ", line " + number
                    + ": expected a path and a label with a tab or space between them");
        }
        if (files.size() > 0 && !files.areLabeled()) {
            throw mixed(number);
        }
        files.add(
                line.substring(0, separator).strip(),
                line.substring(separator + 1).strip());
    }

    /// A line that ends as images do is a path alone: no class is called so.
    private void unlabeled(String path, int number) throws DatasetException {
        if (files.areLabeled()) {
            throw mixed(number);
        }
        files.add(path);
    }

    private DatasetException mixed(int number) {
        return new DatasetException(
                "the file list " + list + ", line " + number + ": some lines have a label and others have none");
    }
}
