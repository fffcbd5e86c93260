/// What shards say of their classes, and whether they agree. Read [org.jspdl.data.shards.classes.SameClasses] first.
@org.jspecify.annotations.NullMarked
package org.jspdl.data.shards.classes;
