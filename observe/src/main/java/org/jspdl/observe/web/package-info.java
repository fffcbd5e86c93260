/// Runs in a browser: a page whose plots move, for all runs of this user on this machine.
///
/// [Dashboard] serves it. Read that first.
package org.jspdl.observe.web;
