package org.jspdl.pipeline;

import java.util.concurrent.Executor;

/// Where a stage's function runs.
public sealed interface Placement {

    /// The name used in statistics.
    String label();

    /// On virtual threads of the stage's own: for functions that wait for sockets. Native code doesn't belong here.
    record Io() implements Placement {
        @Override
        public String label() {
            return "io";
        }
    }

    /// On the compute threads that all runs share: for functions that compute or call native code.
    record Cpu() implements Placement {
        @Override
        public String label() {
            return "cpu";
        }
    }

    /// On one platform thread of the stage's own, for libraries that are bound to a thread.
    ///
    /// @param onStart called on that thread before the first item
    /// @param onClose called on that thread after the last item, also after a failure
    record Dedicated(Hook onStart, Hook onClose) implements Placement {
        @Override
        public String label() {
            return "dedicated";
        }
    }

    /// On the caller's executor, which is never closed by a run.
    ///
    /// @param executor runs one activation at a time for each unit of concurrency; a rejected one fails the run
    record On(Executor executor) implements Placement {
        @Override
        public String label() {
            return "on";
        }
    }

    /// On the threads of an asynchronous client, for [Pipeline#pipeAsync].
    record Async() implements Placement {
        @Override
        public String label() {
            return "async";
        }
    }

    /// Something to do at the beginning or end of a stage.
    @FunctionalInterface
    interface Hook {
        /// Does nothing.
        Hook NONE = () -> {};

        /// Runs the hook.
        void run() throws Exception;
    }
}
