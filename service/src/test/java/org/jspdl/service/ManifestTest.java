package org.jspdl.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// Whether the parts of the manifest for Kubernetes fit together, and name what a worker has.
class ManifestTest {
    private final Map<Object, Map<?, ?>> objects = new LinkedHashMap<>();

    @BeforeEach
    void read() throws Exception {
        String text = Files.readString(Path.of("src/deploy/workers.yaml"));
        for (Object each : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
            Map<?, ?> object = (Map<?, ?>) each;
            objects.put(object.get("kind"), object);
        }
    }

    /// What lies behind `path`, where a number is a place of a list.
    private static Object at(Object from, Object... path) {
        Object at = from;
        for (Object step : path) {
            at = step instanceof Integer place
                    ? ((List<?>) Objects.requireNonNull(at)).get(place)
                    : ((Map<?, ?>) Objects.requireNonNull(at)).get(step);
        }
        return Objects.requireNonNull(at, () -> "there is nothing at " + List.of(path));
    }

    private Object of(String kind, Object... path) {
        return at(Objects.requireNonNull(objects.get(kind)), path);
    }

    @Test
    void thereAreAServiceWorkersAndWhatScalesThem() {
        assertThat(objects.keySet()).containsExactlyInAnyOrder("Service", "Deployment", "HorizontalPodAutoscaler");
        assertThat(of("Service", "apiVersion")).isEqualTo("v1");
        assertThat(of("Deployment", "apiVersion")).isEqualTo("apps/v1");
        assertThat(of("HorizontalPodAutoscaler", "apiVersion")).isEqualTo("autoscaling/v2");
        for (Map<?, ?> object : objects.values()) {
            assertThat(at(object, "metadata", "name")).isEqualTo("jspdl-workers");
        }
    }

    @Test
    void theNameHasTheAddressesOfTheWorkers() {
        Object labels = of("Deployment", "spec", "template", "metadata", "labels");

        assertThat(of("Service", "spec", "clusterIP")).isEqualTo("None");
        assertThat(of("Service", "spec", "selector")).isEqualTo(labels);
        assertThat(of("Deployment", "spec", "selector", "matchLabels")).isEqualTo(labels);
        Object container = of("Deployment", "spec", "template", "spec", "containers", 0);
        assertThat(at(container, "ports", 0, "containerPort")).isEqualTo(of("Service", "spec", "ports", 0, "port"));
        assertThat(at(container, "ports", 0, "name")).isEqualTo(of("Service", "spec", "ports", 0, "targetPort"));
        assertThat(at(container, "readinessProbe", "httpGet", "path")).isEqualTo("/health");
        assertThat(at(container, "env", 0, "name")).isEqualTo(ClientOptions.TOKEN_VARIABLE);
        assertThat((List<?>) at(container, "args")).first().isEqualTo("serve");
    }

    @Test
    void eachMountHasItsVolume() {
        Object pod = of("Deployment", "spec", "template", "spec");
        List<?> volumes = (List<?>) at(pod, "volumes");
        List<?> mounts = (List<?>) at(pod, "containers", 0, "volumeMounts");

        assertThat(mounts.stream().map(mount -> at(mount, "name")).toList())
                .isEqualTo(volumes.stream().map(volume -> at(volume, "name")).toList());
    }

    @Test
    void workersAreAddedByAMetricThatTheyHave() {
        assertThat(of("HorizontalPodAutoscaler", "spec", "scaleTargetRef", "kind"))
                .isEqualTo("Deployment");
        assertThat(of("HorizontalPodAutoscaler", "spec", "scaleTargetRef", "name"))
                .isEqualTo("jspdl-workers");
        Object metric = of("HorizontalPodAutoscaler", "spec", "metrics", 0, "pods", "metric", "name");
        assertThat(new ServerCounters().text(0)).contains("# TYPE " + metric + " gauge");
    }
}
