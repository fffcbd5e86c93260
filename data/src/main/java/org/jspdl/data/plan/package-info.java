/// What plans can name of files, shards, media, arrays and text: sources of samples, what loads their fields, and
/// batches.
///
/// Read [SampleOperations] first. A [org.jspdl.data.plan.value.PlanSample] is what goes from step to step; steps of
/// media lie here, and not in `media`, because they take their bytes from it, and media knows nothing of samples.
package org.jspdl.data.plan;
