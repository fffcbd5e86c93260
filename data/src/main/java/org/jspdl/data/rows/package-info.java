/// Batches whose rows are written where they stay: each sample gets a row of a batch's memory before it is decoded.
///
/// Knows nothing of images or pipelines. Read [BatchAllocator] first.
package org.jspdl.data.rows;
