/// The main job: the images of a dataset, read, decoded, resized and batched, and a report of how fast that was.
///
/// Here: the pipeline of the job, its consumer, and its report. Not here: how images are decoded. Read [ImageJob]
/// first.
package org.jspdl.cli.run;
