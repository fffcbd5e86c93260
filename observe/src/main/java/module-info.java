/// Reports, diagnosis, profiles and traces of runs.
@org.jspecify.annotations.NullMarked
module org.jspdl.observe {
    requires static org.jspecify;
    requires java.management;
    requires jdk.httpserver;
    requires jdk.management;
    requires transitive org.jspdl.core;

    exports org.jspdl.observe;
    exports org.jspdl.observe.advice;
    exports org.jspdl.observe.alarm;
    exports org.jspdl.observe.diagnosis;
    exports org.jspdl.observe.live;
    exports org.jspdl.observe.machine;
    exports org.jspdl.observe.process;
    exports org.jspdl.observe.report;
    exports org.jspdl.observe.requests;
    exports org.jspdl.observe.text;
    exports org.jspdl.observe.web;

    provides org.jspdl.pipeline.RunExtension with
            org.jspdl.observe.ProfilingSwitch;
}
