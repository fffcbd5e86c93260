/// Images that other machines decode: the worker, and the trainer's side.
@org.jspecify.annotations.NullMarked
module org.jspdl.service {
    requires static org.jspecify;
    requires java.net.http;
    requires jdk.httpserver;
    requires transitive org.jspdl.data;

    exports org.jspdl.service;

    provides org.jspdl.data.image.ImageServiceProvider with
            org.jspdl.service.HttpImageServices;
}
