/// What a trainer and its loader say to each other through pipes. Read [FrameWriter] and [CommandReader]; the other
/// side is `_wire.py` of the Python package.
package org.jspdl.python.wire;
