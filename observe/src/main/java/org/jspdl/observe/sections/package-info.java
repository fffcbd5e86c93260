/// Sections of a report that are made of statistics alone.
package org.jspdl.observe.sections;
