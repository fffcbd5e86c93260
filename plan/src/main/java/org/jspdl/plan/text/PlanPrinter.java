package org.jspdl.plan.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspdl.plan.Plan;
import org.jspdl.plan.PlanNode;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/// Prints plans as texts that are read as the same plan.
public final class PlanPrinter {
    private PlanPrinter() {}

    /// `plan` in YAML.
    public static String yaml(Plan plan) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.AUTO)
                .setSchema(new CoreSchema())
                .setIndicatorIndent(2)
                .setIndentWithIndicator(true)
                .setDereferenceAliases(true)
                .setWidth(120)
                .build();
        return new Dump(settings).dumpToString(plain(plan.document()));
    }

    /// `plan` in JSON, with two spaces for each level.
    public static String json(Plan plan) {
        return JsonWriter.write(plan.document());
    }

    private static @Nullable Object plain(PlanNode node) {
        return switch (node) {
            case PlanNode.Nothing() -> null;
            case PlanNode.Text(String value) -> value;
            case PlanNode.Whole(long value) -> value;
            case PlanNode.Decimal(double value) -> value;
            case PlanNode.Flag(boolean value) -> value;
            case PlanNode.Items(List<PlanNode> items) -> {
                List<@Nullable Object> list = new ArrayList<>();
                items.forEach(item -> list.add(plain(item)));
                yield list;
            }
            case PlanNode.Fields(var fields) -> {
                Map<String, @Nullable Object> map = new LinkedHashMap<>();
                fields.forEach((name, value) -> map.put(name, plain(value)));
                yield map;
            }
        };
    }
}
