"""Loaders below Lightning and the Trainer of Hugging Face, as docs/how-to/from-pytorch.md shows them: which samples come when, and after a resume."""
import functools
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import unittest

import jspdl
from support import HERE, IMAGES, PATIENCE

BATCH = 4
EPOCHS = 3
QUIET = {"enable_progress_bar": False, "enable_model_summary": False, "logger": False, "accelerator": "cpu"}


def images(**options):
    return jspdl.images(IMAGES, **{"size": 8, "batch_size": BATCH, "shuffle": True, "seed": 5, "arrays": "torch", "timeout": PATIENCE, **options})


def named(batch):
    return {"pixel_values": batch["image"], "labels": batch["label"], "index": batch["index"]}


def doubled(sample):
    sample["image"] = sample["image"] * 2
    return sample


def indices(loader):
    return [batch["index"].tolist() for batch in loader]


@functools.cache
def expected(**options):
    """The samples of each epoch, as a plain loop sees them."""
    with images(**options) as loader:
        return [indices(loader) for _ in range(EPOCHS)]


def flat(batches):
    return sorted(index for batch in batches for index in batch)


@unittest.skipIf(importlib.util.find_spec("lightning") is None, "needs lightning")
class Lightning(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def model(self, make=images, valid=None):
        import trained
        model = trained.Classifier(make, valid)
        self.addCleanup(model.close)
        return model

    def fit(self, model, resumed=None, callbacks=(), **options):
        import lightning
        trainer = lightning.Trainer(default_root_dir=self.folder, **{"max_epochs": EPOCHS, "enable_checkpointing": bool(callbacks), **QUIET, **options},
                                    callbacks=list(callbacks))
        trainer.fit(model, ckpt_path=resumed)
        return trainer

    def test_each_epoch_is_one_of_the_loader_and_batches_come_as_they_are(self):
        model = self.model()
        trainer = self.fit(model)
        self.assertEqual(model.epochs(), expected())
        self.assertEqual(trainer.num_training_batches, len(expected()[0]))

    def test_a_loader_whose_length_is_not_known_works_too(self):
        model = self.model(lambda **options: images(max_failures=1, **options).map_batches(doubled, threads=1))
        self.fit(model)
        self.assertEqual(model.epochs(), expected())

    def test_functions_before_and_behind_batches_go_along(self):
        for make in (lambda **options: images(**options, share=False).map(doubled, processes=1, order="input"),
                     lambda **options: images(**options).map(doubled, processes=1), lambda **options: images(**options).map_batches(doubled, threads=1)):
            model = self.model(make)
            self.fit(model, max_epochs=1)
            self.assertEqual(model.epochs(), expected()[:1])

    def test_validation_sees_everything_once_behind_each_epoch_whatever_was_looked_at_before(self):
        model = self.model(valid=lambda: images(shuffle=False))
        self.fit(model, num_sanity_val_steps=1)
        self.assertEqual(model.epochs(), expected())
        self.assertEqual([flat(epoch) for epoch in model.validated], [flat(expected()[0])] * EPOCHS)

    def saved(self, **when):
        """What was seen until a checkpoint, and where that is."""
        from lightning.pytorch.callbacks import ModelCheckpoint
        model = self.model()
        self.fit(model, callbacks=[ModelCheckpoint(dirpath=self.folder, save_top_k=-1, filename="{epoch}-{step}", **when)])
        self.assertEqual(model.epochs(), expected())
        return sorted(name for name in os.listdir(self.folder) if name.endswith(".ckpt"))

    def test_a_checkpoint_within_an_epoch_goes_on_behind_its_batch(self):
        count = len(expected()[0])
        files = self.saved(every_n_train_steps=1)
        self.assertEqual(len(files), EPOCHS * count)
        seen = sum(expected(), [])
        for name in files:
            steps = int(name.rpartition("step=")[2].partition(".")[0])
            with self.subTest(steps=steps):
                model = self.model()
                self.fit(model, resumed=os.path.join(self.folder, name))
                self.assertEqual(model.seen, seen[steps:])

    def test_a_checkpoint_behind_an_epoch_goes_on_with_the_next(self):
        files = self.saved(every_n_epochs=1)
        for epoch, name in enumerate(files):
            with self.subTest(epoch=epoch):
                model = self.model()
                self.fit(model, resumed=os.path.join(self.folder, name))
                self.assertEqual(model.epochs(), expected()[epoch + 1:])

    def test_processes_that_lightning_starts_load_their_parts(self):
        self.run_ranks()
        parts = self.of_ranks("rank")
        for rank, part in enumerate(parts):
            self.assertEqual(part, expected(rank=rank, world_size=2)[:2])
        self.assertEqual(len(set(flat(parts[0][0] + parts[1][0]))), len(flat(parts[0][0])) * 2)
        for steps in (1, len(parts[0][0])):
            self.run_ranks(os.path.join(self.folder, f"step={steps}.ckpt"))
            for part, before in zip(self.of_ranks("again"), parts):
                self.assertEqual(part, sum(before, [])[steps:])

    def run_ranks(self, *more):
        program = os.path.join(HERE, "trained.py")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])}
        for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK"):
            environment.pop(name, None)
        ended = subprocess.run([sys.executable, "-B", program, self.folder, *more], env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(ended.returncode, 0, ended.stderr)

    def of_ranks(self, name):
        parts = []
        for rank in range(2):
            with open(os.path.join(self.folder, f"{name}-{rank}.json"), encoding="utf-8") as file:
                parts.append(json.load(file))
        return parts


@unittest.skipIf(importlib.util.find_spec("transformers") is None, "needs transformers")
class HuggingFace(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def trainer(self, resumed=None, **options):
        import trained
        arguments = {"output_dir": self.folder, "num_train_epochs": EPOCHS, "per_device_train_batch_size": BATCH, "per_device_eval_batch_size": BATCH,
                     "use_cpu": True, "report_to": [], "disable_tqdm": True, "save_strategy": "no", "ignore_data_skip": True, **options}
        trainer = trained.hugging_face(arguments, lambda **more: images(**more).map_batches(named, threads=1), resumed)
        self.addCleanup(trainer.close)
        return trainer

    def test_each_epoch_is_one_of_the_loader(self):
        for more in ({}, {"gradient_accumulation_steps": 2}, {"gradient_accumulation_steps": 3}):
            with self.subTest(**more):
                trainer = self.trainer(**more)
                trainer.train()
                self.assertEqual(trainer.seen, sum(expected(), []))

    def test_evaluation_sees_everything(self):
        trainer = self.trainer(eval_strategy="epoch")
        trainer.train()
        self.assertEqual(trainer.seen, sum(expected(), []))
        self.assertEqual(flat(trainer.evaluated), sorted(flat(expected()[0]) * EPOCHS))

    def test_a_checkpoint_goes_on_behind_its_batch_at_each_step_and_behind_epochs(self):
        count = len(expected()[0])
        first = self.trainer(save_strategy="steps", save_steps=1)
        first.train()
        for steps in range(1, EPOCHS * count):
            with self.subTest(steps=steps):
                folder = os.path.join(self.folder, f"checkpoint-{steps}")
                trainer = self.trainer(os.path.join(folder, "loader-0.json"))
                trainer.train(resume_from_checkpoint=folder)
                self.assertEqual(trainer.seen, sum(expected(), [])[steps:])


if __name__ == "__main__":
    unittest.main()
