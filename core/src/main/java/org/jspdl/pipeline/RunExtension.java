package org.jspdl.pipeline;

/// Adds something to every run of a process that does not know of it, such as a watch: found by
/// [java.util.ServiceLoader] where the property `jspdl.profile` or the environment variable `JSPDL_PROFILE` is set.
public interface RunExtension {
    /// `options` of a run that is about to start, with what is added.
    RunOptions extended(RunOptions options);
}
