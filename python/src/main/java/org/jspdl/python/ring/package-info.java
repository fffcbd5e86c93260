/// The memory that both processes have mapped: which slots of it are free, and what the system may have back.
package org.jspdl.python.ring;
