/// Numbers as people read them.
package org.jspdl.observe.text;
