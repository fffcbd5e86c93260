package org.jspdl.data.plan.value;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspdl.data.image.ImageOrigin;
import org.jspdl.media.image.ColorChange;
import org.jspdl.media.image.ImagePlacement;
import org.jspdl.media.image.ImageTransform;
import org.jspdl.plan.record.SampleOrigin;

/// Says in words what samples were made from.
public final class OriginDetails {
    private OriginDetails() {}

    /// What an image was made from.
    public static SampleOrigin of(ImageOrigin image) {
        Map<String, String> details = new LinkedHashMap<>();
        details.put("index", Integer.toString(image.index()));
        details.put("bytes", String.format(Locale.ROOT, "%,d", image.byteSize()));
        image.range().ifPresent(range -> details.put("range", range.toString()));
        image.transform().ifPresent(transform -> details.putAll(of(transform)));
        return new SampleOrigin(image.name(), image.file(), details);
    }

    /// The parameters of a transform that change something.
    public static Map<String, String> of(ImageTransform transform) {
        Map<String, String> details = new LinkedHashMap<>();
        ImagePlacement at = transform.placement();
        details.put("box", at.boxWidth() + "x" + at.boxHeight() + "+" + at.boxX() + "+" + at.boxY());
        details.put("resized", at.scaledWidth() + "x" + at.scaledHeight());
        if (at.left() != 0 || at.top() != 0 || at.width() != at.scaledWidth() || at.height() != at.scaledHeight()) {
            details.put("window", at.width() + "x" + at.height() + "+" + at.left() + "+" + at.top());
        }
        if (at.flipped()) {
            details.put("flipped", "yes");
        }
        ColorChange colors = transform.colors();
        if (!colors.equals(ColorChange.NONE)) {
            details.put(
                    "colors",
                    String.format(
                            Locale.ROOT,
                            "brightness %.3f contrast %.3f saturation %.3f hue %.3f order %d%s",
                            colors.brightness(),
                            colors.contrast(),
                            colors.saturation(),
                            colors.hue(),
                            colors.order(),
                            colors.gray() ? " gray" : ""));
        }
        return details;
    }
}
