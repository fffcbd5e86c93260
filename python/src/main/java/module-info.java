/// The loader's side of the handover to Python.
@org.jspecify.annotations.NullMarked
module org.jspdl.python {
    requires static org.jspecify;
    requires org.jspdl.core;
    requires org.jspdl.observe;
    requires org.jspdl.plan;
}
