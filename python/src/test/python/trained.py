"""Models for the tests of trainers, which note the samples that they see. As a program: one rank of two of Lightning's."""
import json
import os
import sys

import torch


def network():
    return torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 8 * 8, 2))


def loss_of(model, image):
    return torch.nn.functional.cross_entropy(model(image.float()), torch.zeros(len(image), dtype=torch.int64))


def __getattr__(name):
    """`Classifier`, for Lightning, which takes seconds to import."""
    if name != "Classifier":
        raise AttributeError(name)
    import lightning

    class Classifier(lightning.LightningModule):
        def __init__(self, make, valid=None):
            super().__init__()
            self.network = network()
            self.make = make
            self.valid = valid
            self.loaders = []
            self.state = None
            self.seen, self.lengths, self.validated = [], [], []

        def train_dataloader(self):
            self.loaders.append(self.make(resume_from=self.state))
            return self.loaders[-1]

        def val_dataloader(self):
            if self.valid is None:
                return []
            self.loaders.append(self.valid())
            return self.loaders[-1]

        def on_train_epoch_start(self):
            self.lengths.append(len(self.seen))

        def training_step(self, batch, _):
            self.seen.append(batch["index"].tolist())
            return loss_of(self.network, batch["image"])

        def on_validation_epoch_start(self):
            if not self.trainer.sanity_checking:
                self.validated.append([])

        def validation_step(self, batch, _):
            if not self.trainer.sanity_checking:
                self.validated[-1].append(batch["index"].tolist())

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), 0.01)

        def on_save_checkpoint(self, checkpoint):
            states = [self.loaders[0].state_dict()]
            if self.trainer.world_size > 1:
                states *= self.trainer.world_size
                torch.distributed.all_gather_object(states, self.loaders[0].state_dict())
            checkpoint["loader"] = states

        def on_load_checkpoint(self, checkpoint):
            states = checkpoint["loader"]
            self.state = states[self.trainer.global_rank] if len(states) == self.trainer.world_size else states
            checkpoint["loops"]["fit_loop"]["state_dict"].pop("combined_loader", None)

        def epochs(self):
            return [self.seen[begin:end] for begin, end in zip(self.lengths, [*self.lengths[1:], len(self.seen)])]

        def close(self):
            for loader in self.loaders:
                loader.close()

    globals()["Classifier"] = Classifier
    return Classifier


def hugging_face(arguments, make, resumed):
    """A Trainer over loaders of `make`, whose state is in the file `resumed`."""
    from transformers import Trainer, TrainerCallback, TrainingArguments

    class Model(torch.nn.Module):
        def __init__(self, seen, evaluated):
            super().__init__()
            self.network = network()
            self.notes = seen, evaluated

        def forward(self, pixel_values, labels, index):
            self.notes[0 if self.training else 1].append(index.tolist())
            return {"loss": loss_of(self.network, pixel_values), "logits": labels}

    class SavedLoader(TrainerCallback):
        def on_save(self, args, state, control, train_dataloader=None, **_):
            with open(os.path.join(args.output_dir, f"checkpoint-{state.global_step}", f"loader-{args.process_index}.json"), "w", encoding="utf-8") as file:
                json.dump(train_dataloader.state_dict(), file)

    class ImageTrainer(Trainer):
        def get_train_dataloader(self):
            state = None
            if resumed is not None:
                with open(resumed, encoding="utf-8") as file:
                    state = json.load(file)
            self.made.append(make(resume_from=state))
            return self.made[-1]

        def get_eval_dataloader(self, eval_dataset=None):
            self.made.append(make(shuffle=False))
            return self.made[-1]

        def close(self):
            for loader in self.made:
                loader.close()

    seen, evaluated = [], []
    trainer = ImageTrainer(Model(seen, evaluated), TrainingArguments(**arguments), eval_dataset=[0], callbacks=[SavedLoader()])
    trainer.seen, trainer.evaluated, trainer.made = seen, evaluated, []
    return trainer


def main(folder, resumed=None):
    import lightning
    from lightning.pytorch.callbacks import ModelCheckpoint
    import test_trainers
    model = __getattr__("Classifier")(test_trainers.images)
    saved = ModelCheckpoint(dirpath=folder, save_top_k=-1, filename="{step}", every_n_train_steps=1)
    trainer = lightning.Trainer(default_root_dir=folder, max_epochs=2, devices=2, strategy="ddp", callbacks=[] if resumed else [saved],
                                **{**test_trainers.QUIET, "enable_checkpointing": not resumed})
    trainer.fit(model, ckpt_path=resumed)
    with open(os.path.join(folder, f"{'again' if resumed else 'rank'}-{trainer.global_rank}.json"), "w", encoding="utf-8") as file:
        json.dump(model.seen if resumed else model.epochs(), file)     # an epoch that is resumed does not begin
    model.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
