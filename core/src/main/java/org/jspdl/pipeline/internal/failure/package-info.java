/// What a stage does about failures: attempts, quarantine, and how many are survived.
///
/// Not here: who calls the function (`function`). Read [org.jspdl.pipeline.internal.failure.Failures] first.
package org.jspdl.pipeline.internal.failure;
