/// What shards say of their classes, whether they agree, and which fields their samples are read from. Read
/// [org.jspdl.data.shards.classes.SameClasses] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.classes;
