"""Startup caches are code: they are used only from where nobody but this user and root can write."""
import os
import tempfile
import unittest

from jspdl import _private, _process

SOMEBODY = 65534


class Private(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = os.path.realpath(self.folder.name)
        self.cache = os.path.join(self.root, "a", "b")
        mask = os.umask(0)
        self.addCleanup(os.umask, mask)
        self.addCleanup(self.folder.cleanup)
        self.assertIsNone(_private.make_folder(self.cache))
        self.file = os.path.join(self.cache, "start.aot")
        with open(self.file, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write("x")

    def test_folders_are_made_for_this_user_alone_whatever_the_umask(self):
        for folder in (self.cache, os.path.dirname(self.cache)):
            self.assertEqual(0o700, os.stat(folder).st_mode & 0o777)
        self.assertIsNone(_private.objection(self.file))

    def test_a_way_that_others_can_write_is_not_taken(self):
        for path in (self.file, self.cache, os.path.dirname(self.cache), self.root):
            mode = os.stat(path).st_mode & 0o777
            for opened in (mode | 0o020, mode | 0o002):
                os.chmod(path, opened)
                self.assertIn("can be written by others", _private.objection(self.file))
                self.assertIn(path, _private.objection(self.file))
            os.chmod(path, mode)
        self.assertIsNone(_private.objection(self.file))

    def test_links_are_followed_to_safe_folders_only(self):
        link = os.path.join(self.root, "link")
        os.symlink(self.cache, link)
        self.assertIsNone(_private.objection(f"{link}/start.aot"))
        opened = os.path.join(self.root, "open")
        os.mkdir(opened, 0o777)
        os.symlink(self.cache, f"{opened}/link")
        self.assertIn("open can be written by others", _private.objection(f"{opened}/link/start.aot"))
        os.symlink("loop", os.path.join(self.root, "loop"))
        self.assertIn("more than 40 links", _private.objection(os.path.join(self.root, "loop")))

    def test_what_belongs_to_another_user_is_not_used(self):
        if os.getuid() == 0:
            for path in (self.file, self.cache):
                os.chown(path, SOMEBODY, SOMEBODY)
                self.assertEqual(f"{path} belongs to another user", _private.objection(self.file))
                os.chown(path, 0, 0)
        self.assertIsNone(_private.objection(self.file))

    def test_no_cache_is_relative_or_missing(self):
        self.assertIn("another place in each working directory", _private.objection("cache/start.aot"))
        self.assertIn("No such file", _private.objection(os.path.join(self.cache, "other.aot")))


class Start(unittest.TestCase):
    def test_a_cache_that_others_could_write_is_not_given_to_java(self):
        with tempfile.TemporaryDirectory() as folder:
            home = os.path.join(folder, "java")
            os.mkdir(home)
            with open(os.path.join(home, "release"), "w") as file:
                file.write('JAVA_RUNTIME_VERSION="25"\n')
            before = os.environ.get("XDG_CACHE_HOME")
            self.addCleanup(lambda: os.environ.pop("XDG_CACHE_HOME", None) if before is None
                            else os.environ.update(XDG_CACHE_HOME=before))
            os.environ["XDG_CACHE_HOME"] = folder
            cache = _process.cache_file(home, "")
            self.assertIsNone(_private.make_folder(os.path.dirname(cache)))
            with open(cache, "w", opener=lambda path, flags: os.open(path, flags, 0o600)):
                pass
            self.assertEqual(f"-XX:AOTCache={cache}", _process.start_cache(home, "")[0])
            os.chmod(cache, 0o666)
            self.assertEqual([], _process.start_cache(home, ""))
            os.environ["XDG_CACHE_HOME"] = "relative"
            self.assertTrue(os.path.isabs(_process.cache_file(home, "")))
