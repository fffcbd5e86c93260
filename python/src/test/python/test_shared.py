"""One loader for many trainers: what they share, what they don't, and how each of them may end."""
import contextlib
import gc
import mmap
import os
import random
import resource
import signal
import tempfile
import threading
import time
import unittest
import unittest.mock
import uuid
from unittest import mock

import jspdl
from jspdl import _ring, _share
from support import IMAGES, PATIENCE, ends, filled, is_filled, load, ring_bytes, shared_files, steps, trainer

CAMPAIGN = os.environ.get("JSPDL_CAMPAIGN") == "true"
KILLS = int(os.environ.get("JSPDL_KILLS", 200 if CAMPAIGN else 6))
SEED = int(os.environ.get("JSPDL_SEED", 24))
LARGE = 1 << 20     # bytes of a batch: of these, no more lie ready than are asked for
EPOCH = 30
ENDLESS = f"""
with load(filled({EPOCH}, {LARGE}), share="{{name}}") as loader:
    print(loader._process.pid, flush=True)
    count = 0
    while True:
        for batch in loader:
            if not is_filled(batch, {LARGE}):
                print("wrong", flush=True)
            count += 1
            if count == {{until}}:
                print("now", flush=True)
"""


def numbers(batches):
    """The numbers of batches of `filled`, each of which must hold what it should."""
    found = []
    for batch in batches:
        assert is_filled(batch, LARGE), f"batch {batch['number']} holds other bytes"
        found.append(batch["number"])
    return found


def trainers_with(loader):
    """How many trainers get the batches of the loader's run."""
    return loader.stats()["handover"]["trainers"]


class Shared(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory()) if hasattr(self, "enterContext") else self.made()
        os.chmod(self.folder, 0o700)
        patched = unittest.mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": self.folder})
        patched.start()
        self.addCleanup(patched.stop)
        self.name = "test-" + uuid.uuid4().hex[:8]
        self.loaders = []

    def made(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name

    def tearDown(self):
        for loader in self.loaders:
            loader.close()
        for pid in {loader._process.pid for loader in self.loaders}:
            self.assertTrue(ends(pid), f"process {pid} goes on")
        self.assertEqual(shared_files(), [])
        self.assertLessEqual(set(os.listdir(os.path.join(self.folder, "jspdl"))), {"lock"})

    def load(self, plan=None, name="", **options):
        loader = load(plan or filled(EPOCH, LARGE), share=self.name + name, **options)
        self.loaders.append(loader)
        return loader

    def test_memory_of_batches_that_were_kept_goes_back_and_nobody_sees_what_was_there(self):
        loader = self.load(prefetch=1)
        kept = list(loader)
        until = time.monotonic() + PATIENCE
        self.assertGreaterEqual(ring_bytes(loader), EPOCH * LARGE)
        del kept
        while ring_bytes(loader) > EPOCH * LARGE * 3 // 4:    # the pipeline and its trainer need a third
            self.assertLess(time.monotonic(), until)
            for batch in loader:
                assert is_filled(batch, LARGE), f"batch {batch['number']} holds other bytes"
                memoryview(batch["data"])[:LARGE // 2] = bytes(LARGE // 2)

    def test_trainers_of_one_plan_get_each_batch_decoded_once(self):
        trainers = [self.load() for _ in range(4)]
        self.assertEqual(len({loader._process.pid for loader in trainers}), 1)
        found = [[] for _ in trainers]
        for batches in zip(*trainers):
            for batch, own in zip(batches, found):
                own.extend(numbers([batch]))
        self.assertEqual(found, [list(range(EPOCH))] * 4)
        self.assertEqual([trainers_with(loader) for loader in trainers], [4] * 4)
        self.assertEqual(trainers[0].stats()["batches"], trainers[3].stats()["batches"])

    def test_a_loader_that_can_open_nothing_for_a_while_keeps_nobody_waiting_longer(self):
        first = self.load()
        self.assertEqual(numbers(first), list(range(EPOCH)))
        pid = first._process.pid
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        outcomes = []

        def come():
            try:
                outcomes.append(numbers(self.load()))
            except jspdl.JspdlError as failure:
                outcomes.append(str(failure))

        resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, limits[1]))
        coming = [threading.Thread(target=come) for _ in range(3)]
        for thread in coming:
            thread.start()
        coming[-1].join(0.3)
        with contextlib.suppress(ProcessLookupError):   # it ends if it has no descriptor for a class either
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
        for thread in coming:
            thread.join(PATIENCE)
        self.assertEqual(len(outcomes), len(coming))
        for outcome in outcomes:
            self.assertTrue(outcome == list(range(EPOCH)) or "ended" in outcome or "exit" in outcome, outcome)
        self.assertEqual(numbers(self.load()), list(range(EPOCH)))

    def test_epochs_states_and_resuming_are_those_of_a_loader_of_ones_own(self):
        plan = steps(200, {"fail": {"at": 1000}}, seed=3)
        plan["source"] = {"sampled": {"size": 60, "seed": 5}}
        plan["steps"].append({"filled": {"bytes": LARGE}, "cpu": 2, "order": "input"})

        def played(loader):
            found = [numbers(loader)]
            for batch in loader:
                found.append(numbers([batch]))
                if len(found) == 7:
                    state = loader.state_dict()
                    break
            found.append(numbers(loader))
            loader.load_state_dict(state)
            found.append(numbers(loader))
            return found, (state["epoch"], state["batches"]), state

        alone = load(plan)
        self.loaders.append(alone)
        expected = played(alone)
        first = self.load(plan)
        second = self.load(plan)
        self.assertEqual(played(first)[:2], expected[:2])
        self.assertEqual(played(second)[:2], expected[:2])
        self.assertEqual(numbers(self.load(plan, resume_from=expected[2])), expected[0][-1])

    def test_one_that_falls_behind_goes_on_from_its_own_position(self):
        ahead = self.load()
        behind = self.load(prefetch=1)
        late = iter(behind)
        begun = numbers([next(late), next(late)])
        self.assertEqual(numbers(ahead), list(range(EPOCH)))
        self.assertEqual(numbers(ahead), list(range(EPOCH)))
        self.assertEqual(behind.state_dict()["batches"], 2)
        self.assertEqual(begun + numbers(late), list(range(EPOCH)))
        self.assertEqual(numbers(behind), list(range(EPOCH)))
        self.assertEqual([trainers_with(loader) for loader in (ahead, behind)], [1, 1])
        self.assertLess(behind.stats()["handover"]["slots_held_by_trainer"], 4)

    def test_one_that_never_takes_anything_keeps_nobody_waiting(self):
        idle = self.load()
        busy = self.load()
        for _ in range(3):
            self.assertEqual(numbers(busy), list(range(EPOCH)))
        self.assertEqual(numbers(idle), list(range(EPOCH)))

    def test_other_parts_and_seeds_load_by_themselves_in_one_process(self):
        plan = {"source": {"sampled": {"size": EPOCH, "seed": 5}}, "steps": [{"filled": {"bytes": LARGE}, "cpu": 2, "order": "input"}]}
        one = self.load(plan, "/train")
        other = self.load({**plan, "source": {"sampled": {"size": EPOCH, "seed": 6}}}, "/valid")
        self.assertEqual(one._process.pid, other._process.pid)
        first, second = numbers(one), numbers(other)
        self.assertEqual(sorted(first), sorted(second))
        self.assertNotEqual(first, second)

    def test_other_options_are_refused_with_the_difference(self):
        self.load()
        with self.assertRaisesRegex(jspdl.PlanError, r"other options already: the plan has \"bytes\": 1048576.* there, and \"bytes\": 7.* here"):
            self.load(filled(EPOCH, 7))
        with self.assertRaisesRegex(jspdl.PlanError, "epochs is not given there, and '2' here"):
            self.load(epochs=2)
        with self.assertRaisesRegex(jspdl.PlanError, "slot_bytes is .* begin with the loader of the largest batches"):
            self.load(filled(EPOCH, 8), "/larger", slot_bytes=1 << 30)
        self.load(prefetch=3)

    def test_a_name_is_free_again_when_its_trainers_are_gone(self):
        keeps = self.load(name="/other")
        self.load().close()
        again = self.load(filled(EPOCH, 7))
        self.assertEqual(again._process.pid, keeps._process.pid)
        self.assertEqual(len(list(again)), EPOCH)

    def test_what_does_not_go_together_is_refused(self):
        for options, said in (({"pin_memory": True}, "pin_memory"), ({"trace": os.path.join(self.folder, "trace.json")}, "trace")):
            with self.assertRaisesRegex(jspdl.PlanError, said):
                self.load(**options)
        with self.assertRaisesRegex(jspdl.PlanError, "share must be True, for loaders of this process, a name"):
            load(filled(1), share="")
        self.load()

    def test_a_batch_that_one_changes_stays_as_it_was_for_the_others(self):
        one, other = self.load(), self.load()
        for mine, theirs in zip(one, other):
            memoryview(mine["data"]).cast("B")[:] = bytes(LARGE)
            self.assertTrue(is_filled(theirs, LARGE))
            self.assertFalse(any(memoryview(mine["data"]).cast("B")[::4096]))
            del mine, theirs
        self.assertEqual(numbers(one), list(range(EPOCH)))

    def test_batches_that_are_kept_stay_good_after_the_loader_has_ended(self):
        loader = self.load()
        kept = [batch for batch, _ in zip(loader, range(5))]
        loader.close()
        self.assertTrue(ends(loader._process.pid))
        self.assertEqual(numbers(kept), list(range(5)))

    def test_a_mistake_in_the_plan_is_told_to_each(self):
        for _ in range(2):
            with self.assertRaisesRegex(jspdl.PlanError, "no-such"):
                len(self.load(steps(1, {"no-such": {}})))

    def test_a_failing_item_fails_each_and_not_those_of_other_plans(self):
        plan = steps(EPOCH, {"fail": {"at": 5}}, {"filled": {"bytes": LARGE}})
        well = self.load(name="/well")
        for _ in range(2):
            loader = self.load(plan, "/fails")
            with self.assertRaises(jspdl.JspdlError):
                list(loader)
        self.assertEqual(numbers(well), list(range(EPOCH)))

    def test_functions_are_mapped_over_a_shared_loader(self):
        one, other = self.load(), self.load()
        mapped = one.map_batches(lambda batch: {**batch, "twice": 2 * batch["number"]}, threads=1)
        self.assertEqual([batch["twice"] for batch in mapped], [2 * n for n in range(EPOCH)])
        self.assertEqual(numbers(other), list(range(EPOCH)))

    def test_the_first_trainer_may_go_before_the_others(self):
        first = self.load()
        second = self.load()
        batches = iter(second)
        self.assertEqual(numbers([next(batches)]), [0])
        first.close()
        self.assertEqual(numbers(batches), list(range(1, EPOCH)))
        del first
        gc.collect()
        self.assertEqual(numbers(second), list(range(EPOCH)))

    def test_a_killed_loader_is_told_to_each_and_another_can_be_started(self):
        one, other = self.load(), self.load()
        next(iter(one))
        os.kill(one._process.pid, signal.SIGKILL)
        for loader in (one, other):
            with self.assertRaisesRegex(jspdl.LoaderDied, "several trainers share"):
                while True:
                    list(loader)
        self.assertEqual(numbers(self.load()), list(range(EPOCH)))

    def test_a_killed_trainer_leaves_the_others_their_batches(self):
        stays = self.load()
        chance = random.Random(SEED)
        count = 0
        batches = iter(stays)
        for _ in range(KILLS):
            with trainer(ENDLESS.format(name=self.name, until=chance.randrange(1, 2 * EPOCH))) as process:
                self.assertEqual(int(process.stdout.readline()), stays._process.pid)
                goes_on = chance.randrange(20)
                said = ""
                while said != "now\n":
                    for batch in [next(batches, None) for _ in range(goes_on)]:
                        if batch is None:
                            batches = iter(stays)
                        else:
                            self.assertEqual(numbers([batch]), [count % EPOCH])
                            count += 1
                    said = process.stdout.readline()
                    self.assertEqual(said, "now\n")
                process.kill()
        while (handed := stays.stats()["handover"])["slots"] - handed["slots_free"] > 24:
            next(batches, None)     # the end of the last one may not have been noticed yet
        self.assertGreater(count, KILLS)
        if CAMPAIGN:
            print(f"seed {SEED}: {KILLS} trainers killed, {count} batches of the one that stayed, all its own", flush=True)

    def as_rank(self, rank, restart=0):
        ranks = {"RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "TORCHELASTIC_RUN_ID": self.name, "TORCHELASTIC_RESTART_COUNT": str(restart)}
        return unittest.mock.patch.dict(os.environ, ranks)

    def test_ranks_of_torchrun_share_a_process_and_get_their_shares(self):
        images = {"batch_size": 4, "size": 32, "shuffle": True, "seed": 3, "arrays": "memoryview"}
        found, processes = [], []
        for rank in (0, 1):
            with self.as_rank(rank):
                train = jspdl.images(IMAGES, **images)
                valid = jspdl.images(IMAGES, **{**images, "shuffle": False, "even": "uneven"})
                self.loaders += [train, valid]
                processes += [train._process.pid, valid._process.pid]
                found.append([index for batch in train for index in batch["index"]])
                valid.close()
        self.assertEqual(len(set(processes)), 1)
        self.assertEqual(len(found[0]), len(found[1]))
        self.assertFalse(set(found[0]) & set(found[1]))

    def test_ranks_share_nothing_if_they_say_so_or_are_of_another_run(self):
        with self.as_rank(0):
            loaders = [load(filled(3)), load(filled(3), share=False)]
        with self.as_rank(1, restart=1):
            loaders.append(load(filled(3)))
        with self.as_rank(1):
            loaders.append(load(filled(3), trace=os.path.join(self.folder, "trace.json")))
            os.makedirs(os.path.join(self.folder, "jspdl"), exist_ok=True)
            os.chmod(os.path.join(self.folder, "jspdl"), 0o755)
            with self.assertWarnsRegex(RuntimeWarning, "in a process each: .* can be opened by others"):
                loaders.append(load(filled(3)))
            os.chmod(os.path.join(self.folder, "jspdl"), 0o700)
        self.loaders += loaders
        self.assertEqual(len({loader._process.pid for loader in loaders}), 5)
        self.assertFalse(_share.has_room(64, 1 << 40))

    def test_loaders_of_one_process_share_a_virtual_machine_if_they_say_so_and_nothing_else(self):
        train, valid, same, other = (load(filled(EPOCH, LARGE), share=True), load(filled(7, LARGE), share=True, slots=5), load(filled(EPOCH, LARGE), share=True),
                                     load(filled(3), share=True, java_options=["-Xint"]))
        self.loaders += [train, valid, same, other]
        pids = [loader._process.pid for loader in self.loaders]
        self.assertEqual((len(set(pids[:3])), len(set(pids))), (1, 2))
        batches = iter(train)
        taken = numbers(next(batches) for _ in range(3))
        with load(steps(5, {"fail": {"at": 0}}), share=True) as failing, self.assertRaisesRegex(jspdl.JspdlError, "item 0"):
            self.assertEqual(failing._process.pid, pids[0])
            list(failing)
        with self.assertRaises(jspdl.PlanError):
            with load({"source": {"range": {}}, "steps": []}, share=True) as wrong:
                list(wrong)
        self.assertEqual((numbers(valid), numbers(valid)), ([*range(7)], [*range(7)]))
        valid.close()
        self.assertEqual(taken + numbers(batches), [*range(EPOCH)])
        self.assertEqual(numbers(same), [*range(EPOCH)])
        train.close()
        again = load(filled(4, LARGE), share=True)
        self.loaders.append(again)
        self.assertEqual((again._process.pid, numbers(again)), (pids[0], [*range(4)]))

    def test_a_process_and_its_fork_have_a_virtual_machine_each_which_ends_with_it(self):
        with trainer("""
                loader = load(filled(3), share=True)
                child = os.fork()
                mine = load(filled(3), share=True)
                print(loader._process.pid, mine._process.pid, sum(1 for _ in mine), child, flush=True)
                if child == 0:
                    mine.close()
                    os._exit(0)
                os.waitpid(child, 0)
                signal.pause()""") as process:
            lines = sorted((list(map(int, process.stdout.readline().split())) for _ in range(2)), key=lambda line: line[3])
            (first, of_child, count, _), (_, of_parent, _, _) = lines
            self.assertEqual((first, count), (of_parent, 3))
            self.assertNotEqual(of_child, of_parent)
            self.assertTrue(ends(of_child))
            process.kill()
            process.wait()
            self.assertTrue(ends(of_parent))

    def test_a_folder_that_others_may_open_is_refused(self):
        os.mkdir(os.path.join(self.folder, "jspdl"), 0o755)
        with self.assertRaisesRegex(jspdl.JspdlError, "can be opened by others"):
            self.load()
        os.chmod(os.path.join(self.folder, "jspdl"), 0o700)

    def test_processes_are_found_by_the_first_part_of_a_name(self):
        self.assertEqual(_share.address("job/train"), _share.address("job/valid"))
        self.assertNotEqual(_share.address("job/train"), _share.address("other/train"))
        os.makedirs(_share.folder(), exist_ok=True)


class Pages(unittest.TestCase):
    """What a trainer sees of slots that its loader writes again, which is played here."""
    SIZE = 5 * mmap.PAGESIZE - 7

    def setUp(self):
        self.file = _ring.unnamed_file()
        self.addCleanup(os.close, self.file)
        os.ftruncate(self.file, 2 * _ring.ALIGNMENT)
        self.loaders = mmap.mmap(self.file, 2 * _ring.ALIGNMENT)
        self.addCleanup(self.loaders.close)

    def ring(self):
        ring = _ring.SharedRing(f"/proc/self/fd/{self.file}", 2, _ring.ALIGNMENT, 2, lambda slot: b"")
        self.addCleanup(ring.close)
        return ring

    def given(self, ring, value, size, slot=1):
        """What the trainer sees of a batch of that value."""
        begin = slot * _ring.ALIGNMENT
        self.loaders[begin:begin + size] = bytes([value]) * size
        ring.given({slot}, [begin], [size])
        return ring.view(slot)

    def played(self, ring):
        """Batches of several sizes, some of which the trainer changes, here and there, or reads only."""
        for value, (size, *changed) in enumerate(((self.SIZE, 0), (self.SIZE,), (9, 8), (self.SIZE, self.SIZE - 1), (9,), (9, 3), (self.SIZE,), (self.SIZE,)), 1):
            view = self.given(ring, value, size)
            self.assertEqual(bytes(view)[:size], bytes([value]) * size)
            for place in changed:
                view[place] = 255
                self.assertEqual(self.loaders[_ring.ALIGNMENT + place], value)
            del view

    def test_what_a_trainer_changed_does_not_hide_the_next_batch(self):
        ring = self.ring()
        self.assertGreaterEqual(ring._pages, 0, "this system does not say whose pages are")
        self.played(ring)

    def test_pages_stay_mapped_where_nothing_was_changed_and_only_there(self):
        ring = self.ring()
        self.given(ring, 1, self.SIZE)
        for changes in (False, True, False):
            view = ring.view(1)
            self.assertEqual(view[self.SIZE - 1], 1)
            if changes:
                view[self.SIZE - 1] = 9
            del view
            with mock.patch.object(ring, "map", mock.Mock(wraps=ring.map)) as mapped:
                ring.given({1}, [_ring.ALIGNMENT], [self.SIZE])
            self.assertEqual(mapped.madvise.called, changes)

    def test_a_system_that_does_not_tell_or_tells_nothing_has_all_pages_given_up(self):
        for pread in (mock.Mock(side_effect=OSError), mock.Mock(side_effect=lambda _, size, offset: bytes(size)), mock.Mock(return_value=b"")):
            with mock.patch.object(os, "pread", pread):
                ring = self.ring()
                self.assertEqual(ring._pages, -1)
                self.played(ring)
        with mock.patch.object(os, "open", side_effect=[os.dup(self.file), PermissionError]):
            ring = self.ring()
        self.assertEqual(ring._pages, -1)
        self.played(ring)


if __name__ == "__main__":
    unittest.main()
