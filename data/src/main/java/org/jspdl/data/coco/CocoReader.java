package org.jspdl.data.coco;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspdl.data.internal.text.NameTable;
import org.jspdl.data.storage.Location;
import org.jspdl.input.FormatException;
import org.jspdl.json.JsonReader;
import org.jspdl.json.JsonToken;

/// Collects what a file of annotations has, whose parts come in any order. One thread.
final class CocoReader implements JsonArrays.Taker {
    static final Set<String> ARRAYS = Set.of("images", "annotations", "categories");
    /// Four numbers of each are in one array.
    private static final int MOST_BOXES = Integer.MAX_VALUE / 4 - 8;

    private final NameTable.Builder names = new NameTable.Builder();
    private final Map<Long, Integer> images = new HashMap<>();
    private final TreeMap<Long, String> categories = new TreeMap<>();
    private long[] imageOf = new long[1024];
    private long[] categoryOf = new long[1024];
    private float[] boxes = new float[4 * 1024];
    private byte[] crowds = new byte[1024];
    private int count;

    @Override
    public void take(String array, JsonReader element) {
        switch (array) {
            case "images" -> image(element);
            case "annotations" -> annotation(element);
            default -> category(element);
        }
    }

    private void image(JsonReader json) {
        long id = -1;
        String name = "";
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "id" -> id = json.nextLong();
                case "file_name" -> name = json.nextString();
                default -> json.skipValue();
            }
        }
        json.endObject();
        if (name.isEmpty() || id < 0) {
            throw FormatException.because("image " + images.size() + " of the list has no 'id' or no 'file_name'");
        }
        if (name.startsWith("/")
                || name.contains("://")
                || Arrays.asList(name.split("/")).contains("..")) {
            throw FormatException.because("image " + id + " has a 'file_name' that leads out of the folder of images");
        }
        if (images.putIfAbsent(id, images.size()) != null) {
            throw FormatException.because("two images have the id " + id);
        }
        names.add(name, 0);
    }

    private void category(JsonReader json) {
        long id = -1;
        String name = "";
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "id" -> id = json.nextLong();
                case "name" -> name = json.nextString();
                default -> json.skipValue();
            }
        }
        json.endObject();
        if (id < 0 || categories.putIfAbsent(id, name) != null) {
            throw FormatException.because("a category has no 'id', or one that another has");
        }
    }

    private void annotation(JsonReader json) {
        long image = -1;
        long category = -1;
        long crowd = 0;
        boolean boxed = false;
        reserve();
        json.beginObject();
        while (json.hasNext()) {
            switch (json.nextName()) {
                case "image_id" -> image = json.nextLong();
                case "category_id" -> category = json.nextLong();
                case "iscrowd" -> crowd = json.nextLong();
                case "bbox" -> boxed = box(json);
                default -> json.skipValue();
            }
        }
        json.endObject();
        if (image < 0 || category < 0 || !boxed) {
            throw FormatException.because("annotation " + count
                    + " of the list has no 'image_id', no 'category_id', or no 'bbox' of four numbers");
        }
        imageOf[count] = image;
        categoryOf[count] = category;
        crowds[count] = (byte) (crowd == 0 ? 0 : 1);
        count++;
    }

    private boolean box(JsonReader json) {
        if (json.peek() != JsonToken.ARRAY) {
            json.skipValue();
            return false;
        }
        int numbers = 0;
        json.beginArray();
        while (json.hasNext()) {
            float number = (float) json.nextDouble();
            if (Float.isInfinite(number)) {
                throw FormatException.because(
                        "annotation " + count + " of the list has a 'bbox' beyond what a float holds");
            }
            if (numbers < 4) {
                boxes[4 * count + numbers] = number;
            }
            numbers++;
        }
        json.endArray();
        return numbers == 4;
    }

    private void reserve() {
        if (count < imageOf.length) {
            return;
        }
        if (count >= MOST_BOXES) {
            throw FormatException.because("there are more than " + MOST_BOXES + " boxes");
        }
        int larger = (int) Math.min(MOST_BOXES, count * 3L / 2);
        imageOf = Arrays.copyOf(imageOf, larger);
        categoryOf = Arrays.copyOf(categoryOf, larger);
        crowds = Arrays.copyOf(crowds, larger);
        boxes = Arrays.copyOf(boxes, 4 * larger);
    }

    /// What was collected, the boxes in the order of their images.
    CocoDataset dataset(Location folder) {
        if (images.isEmpty()) {
            throw FormatException.because("there are no 'images'");
        }
        Map<Long, Integer> numbers = new HashMap<>();
        categories.keySet().forEach(id -> numbers.put(id, numbers.size()));
        int[] first = new int[images.size() + 1];
        for (int i = 0; i < count; i++) {
            first[known(images, imageOf[i], "image", i) + 1]++;
        }
        Arrays.parallelPrefix(first, Integer::sum);
        int[] next = first.clone();
        float[] sorted = new float[4 * count];
        int[] labels = new int[count];
        byte[] sortedCrowds = new byte[count];
        for (int i = 0; i < count; i++) {
            int to = next[known(images, imageOf[i], "image", i)]++;
            System.arraycopy(boxes, 4 * i, sorted, 4 * to, 4);
            labels[to] = known(numbers, categoryOf[i], "category", i);
            sortedCrowds[to] = crowds[i];
        }
        long[] ids = new long[images.size()];
        images.forEach((id, index) -> ids[index] = id);
        return new CocoDataset(
                folder, List.copyOf(categories.values()), names.build(), ids, first, sorted, labels, sortedCrowds);
    }

    private static int known(Map<Long, Integer> numbers, long id, String what, int annotation) {
        Integer number = numbers.get(id);
        if (number == null) {
            throw FormatException.because(
                    "annotation " + annotation + " of the list names the " + what + " " + id + ", which there is not");
        }
        return number;
    }
}
