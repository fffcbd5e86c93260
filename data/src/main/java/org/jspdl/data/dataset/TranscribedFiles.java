package org.jspdl.data.dataset;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspdl.data.internal.text.NameTable;
import org.jspdl.data.internal.text.TextLines;
import org.jspdl.data.internal.text.WholeText;
import org.jspdl.data.storage.Location;
import org.jspdl.data.storage.Storage;

/// Sounds with what is said in them, laid out as LibriSpeech is: in each folder with sounds a list, `*.trans.txt`, has
/// a line for each of them, with its name without the ending, a space and the text. Immutable.
///
/// Names and texts are kept outside the heap.
public final class TranscribedFiles implements Dataset<TranscribedFile> {
    private static final String LIST = ".trans.txt";
    private static final int AT_ONCE = 64;

    private final LabeledFiles sounds;
    private final NameTable texts;

    private TranscribedFiles(LabeledFiles sounds, NameTable texts) {
        this.sounds = sounds;
        this.texts = texts;
    }

    /// The sounds in the folder `location`, whose sub-folders are classes, as those of speakers are. Other files
    /// than sounds and lists are left out.
    ///
    /// @throws DatasetException if there is no list, a sound has no text or a text no sound; the message names one
    public static TranscribedFiles open(Storage storage, Location location) throws IOException {
        LabeledFiles all = LabeledFiles.open(storage, location);
        Map<String, String> texts = texts(storage, all);
        if (texts.isEmpty()) {
            throw new DatasetException("there are no lists of what is said (*" + LIST + ") beside the sounds in "
                    + location + ", as LibriSpeech has them");
        }
        LabeledFiles.Builder sounds = new LabeledFiles.Builder();
        NameTable.Builder said = new NameTable.Builder();
        List<String> silent = new ArrayList<>();
        boolean labeled = true;
        for (long i = 0; i < all.size(); i++) {
            String name = all.name(i);
            String last = name.substring(name.lastIndexOf('/') + 1);
            if (last.endsWith(LIST)) {
                continue;
            }
            if (FileKind.ANY.judge(last) != FileKind.Verdict.SAMPLE) {
                sounds.leaveOut(last);
                continue;
            }
            String text = texts.remove(stem(name));
            if (text == null) {
                silent.add(name);
                continue;
            }
            labeled &= all.label(i) != LabeledFiles.NO_LABEL;
            sounds.add(name, Math.max(0, all.label(i)));
            said.add(text, 0);
        }
        if (!silent.isEmpty()) {
            throw new DatasetException("the lists (*" + LIST + ") in " + location + " have no text for " + silent.size()
                    + " of the sounds, such as '" + silent.getFirst() + "'");
        }
        if (!texts.isEmpty()) {
            throw new DatasetException(
                    "there is no sound for " + texts.size() + " texts of the lists (*" + LIST + ") in "
                            + location + ", such as '"
                            + texts.keySet().stream().sorted().findFirst().orElseThrow()
                            + "'; is the archive unpacked as a whole?");
        }
        return new TranscribedFiles(
                labeled ? sounds.build(location, all.classes()) : sounds.buildUnlabeled(location), said.build());
    }

    /// What the lists say, by the names of sounds without their endings.
    private static Map<String, String> texts(Storage storage, LabeledFiles all) throws IOException {
        Map<String, String> texts = new HashMap<>();
        Deque<Future<Map<String, String>>> begun = new ArrayDeque<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (long i = 0; i < all.size(); i++) {
                    if (all.name(i).endsWith(LIST)) {
                        Location list = all.location(i);
                        String folder = all.name(i).substring(0, all.name(i).lastIndexOf('/') + 1);
                        begun.add(threads.submit(() -> read(storage, list, folder)));
                    }
                    if (begun.size() == AT_ONCE) {
                        take(begun, texts);
                    }
                }
                while (!begun.isEmpty()) {
                    take(begun, texts);
                }
            } catch (Throwable failure) {
                threads.shutdownNow();
                throw failure;
            }
        }
        return texts;
    }

    private static void take(Deque<Future<Map<String, String>>> begun, Map<String, String> texts) throws IOException {
        try {
            for (Map.Entry<String, String> each : begun.remove().get().entrySet()) {
                if (texts.putIfAbsent(each.getKey(), each.getValue()) != null) {
                    throw new DatasetException("two lists (*" + LIST + ") have a text for '" + each.getKey() + "'");
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while lists were read");
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case IOException unreadable -> throw unreadable;
                case RuntimeException mistake -> throw mistake;
                case Error error -> throw error;
                case null, default -> throw new IllegalStateException(failure);
            }
        }
    }

    private static Map<String, String> read(Storage storage, Location list, String folder) throws IOException {
        Map<String, String> texts = new HashMap<>();
        int number = 0;
        try (WholeText text = WholeText.read(storage, list)) {
            TextLines lines = new TextLines(text.bytes());
            for (String line = lines.next(); line != null; line = lines.next()) {
                number++;
                String content = line.strip();
                if (content.isEmpty()) {
                    continue;
                }
                String name = content.split("\\s", 2)[0];
                if (texts.put(folder + name, content.substring(name.length()).strip()) != null) {
                    throw new DatasetException(
                            list + ", line " + number + ": there is a text for '" + name + "' already");
                }
            }
        } catch (CharacterCodingException notText) {
            throw new DatasetException(list + ", line " + (number + 1) + ": is not UTF-8 text", notText);
        }
        return texts;
    }

    private static String stem(String name) {
        int dot = name.lastIndexOf('.');
        return dot <= name.lastIndexOf('/') ? name : name.substring(0, dot);
    }

    @Override
    public long size() {
        return sounds.size();
    }

    @Override
    public TranscribedFile get(long index) {
        return new TranscribedFile(sounds.location(index), sounds.label(index), text(index));
    }

    /// The sounds, with the numbers of their classes.
    public LabeledFiles sounds() {
        return sounds;
    }

    /// What is said in sound `index`.
    public String text(long index) {
        return texts.text(index);
    }

    @Override
    public String toString() {
        return sounds + " with texts";
    }
}
