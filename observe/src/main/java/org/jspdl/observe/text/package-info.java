/// Numbers as people read them, and JSON for programs.
package org.jspdl.observe.text;
