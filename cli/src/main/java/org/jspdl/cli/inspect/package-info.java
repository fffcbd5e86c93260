/// What `jspdl inspect` finds in datasets and shards, as text for people and JSON for programs.
///
/// Read [Contents] first.
package org.jspdl.cli.inspect;
