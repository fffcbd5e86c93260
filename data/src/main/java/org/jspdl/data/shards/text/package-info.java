/// What shards of text are read by. Read [org.jspdl.data.shards.text.LineReader] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.text;
