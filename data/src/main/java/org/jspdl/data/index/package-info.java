/// What datasets of shards hold, known without opening their shards: the index of a dataset, and what was found out in
/// earlier runs.
package org.jspdl.data.index;
