"""Trains a model with LightGBM on the rows that `npm run model -- export FOLDER` wrote.

    pip install lightgbm pyarrow
    python3 training/python/train.py FOLDER [--out candidates] [--threads 0] [--predictions FILE]

Follows the manifest of the export, so that the result is what our own trainer would make of the same rows: the same
accounts, weights, encodings, held-out rows, settings, selection of features and calibration. Writes a folder with
model.txt (LightGBM) and model.json (the rest), which `npm run model -- add` takes, and prints one line of JSON.

This version holds all rows in memory. On Spark (SynapseML) or Dask, read the same files, keep the encodings, and replace
`lgb.train` by the distributed trainer: the manifest does not change.
"""

import argparse
import datetime
import hashlib
import json
import math
from pathlib import Path

import lightgbm as lgb
import numpy as np

from attributes import learn_attributes
from calibration import calibrate_over_time
from exported_rows import read_export


def share_level(amounts, share):
    """The level at which amounts must be cut for none to be more than a share of what is left."""
    falling = sorted((amount for amount in amounts if amount > 0), reverse=True)
    for cut, amount in enumerate(falling):
        level = share * sum(falling[cut:]) / (1 - cut * share) if cut * share < 1 else falling[-1]
        if amount <= level * (1 + 1e-12):
            return np.inf if cut == 0 else level
    return falling[-1] if falling else np.inf


def capped_weights(rows, chosen, most_share):
    """Within each kind, fraud and legitimate, no account has more than its share of the weight."""
    weights = rows.weight.copy()
    for label in (0, 1):
        totals = {
            account: rows.weight[chosen & (rows.label == label) & (rows.account == account)].sum()
            for account in np.unique(rows.account[chosen])
        }
        speaking = [total for total in totals.values() if total > 0]
        level = share_level(speaking, max(most_share, 1 / max(1, len(speaking))))
        for account, total in totals.items():
            if total > level:
                weights[(rows.label == label) & (rows.account == account)] *= level / total
    return weights


def area_under_curve(scores, labels):
    """By ranks, so that nothing else need be installed."""
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    ones = labels == 1
    total = ones.sum()
    return float((ranks[ones].sum() - total * (total + 1) / 2) / (total * (len(labels) - total)))


class Trainer:
    """LightGBM with the manifest's settings on some of the columns."""

    def __init__(self, values, names, monotone, threads):
        self.values, self.names, self.monotone = values, names, monotone
        self.common = {"objective": "binary", "verbosity": -1, "seed": 1, "deterministic": True, "force_row_wise": True}
        self.common |= {"num_threads": threads, "feature_pre_filter": False}

    def dataset(self, rows, labels, weights, columns, reference=None):
        return lgb.Dataset(
            self.values[np.ix_(rows, columns)],
            labels[rows],
            weight=weights[rows],
            feature_name=[self.names[column] for column in columns],
            reference=reference,
            params={"feature_pre_filter": False, "verbosity": -1},
        )

    def train(self, settings, columns, data, holdout=None, least=0):
        """Keeps at least this share of the trees, whatever the holdout says."""
        settings = self.common | settings | {"monotone_constraints": [self.monotone[column] for column in columns]}
        if holdout is None:
            return lgb.train(settings, data)
        fewest = math.ceil(least * settings["num_iterations"])
        # Patience that reaches as far never ends training sooner.
        settings["early_stopping_round"] = max(fewest, settings["early_stopping_round"])
        # Otherwise LightGBM cuts off the trees after its best iteration before they can be kept.
        forest = lgb.train(settings, data, valid_sets=[holdout], keep_training_booster=True)
        forest.best_iteration = max(fewest, forest.best_iteration)
        return forest


def distinct_columns(values, rows):
    """Columns that differ from every earlier one in some row."""
    seen = set()
    kept = []
    for column in range(values.shape[1]):
        digest = hashlib.sha1(np.ascontiguousarray(values[rows, column]).tobytes()).digest()
        if digest not in seen:
            seen.add(digest)
            kept.append(column)
    return kept


def strongest(trainer, rows, labels, weights, rule):
    """The columns that helped most in a first pass with a few trees."""
    columns = distinct_columns(trainer.values, rows)
    look = trainer.train(dict(rule["settings"]), columns, trainer.dataset(rows, labels, weights, columns))
    gains = look.feature_importance("gain")
    order = [at for at in np.argsort(-gains, kind="stable") if gains[at] >= rule["least_share"] * gains.sum()]
    return sorted(columns[at] for at in order[: rule["most_features"]]) or columns[:1]


def fraud_log_odds(labels, weights):
    """The log-odds of fraud: what a forest starts from."""
    return np.log(weights[labels == 1].sum() / weights[labels == 0].sum())


def earlier_folds(trainer, labelled, chosen, settings, manifest):
    """More rows to calibrate on, from before the newest, each scored by a forest that learned from what came before."""
    (rows, weights), (older, columns) = labelled, chosen
    rule, least_fraud = manifest["calibration"]["folds"], manifest["folds"]["least_fraud"]
    hasty = settings | {
        "num_iterations": -(-settings["num_iterations"] // rule["haste"]),
        "learning_rate": settings["learning_rate"] * rule["haste"],
        "early_stopping_round": -(-settings["early_stopping_round"] // rule["haste"]),
    }
    found = []
    for shares in rule["earlier"]:
        start, end = (int(share * len(older)) for share in shares)
        before, span = older[:start], older[start:end]
        if min(rows.label[before].sum(), rows.label[span].sum()) < least_fraud:
            continue
        data = trainer.dataset(before, rows.label, weights, columns)
        watched = trainer.dataset(span, rows.label, weights, columns, data)
        forest = trainer.train(hasty, columns, data, watched, manifest["folds"]["least_trees_share"])
        # A forest starts from the share of fraud in its own rows; the one that is kept, from that of all rows.
        shift = fraud_log_odds(rows.label, weights) - fraud_log_odds(rows.label[before], weights[before])
        found.append((span, forest.predict(trainer.values[np.ix_(span, columns)], raw_score=True) + shift))
    return found


def train(folder, threads):
    """Everything from the export to a model and its description."""
    manifest, rows, observed = read_export(folder)
    most_share = manifest["weights"]["most_share"]
    rule = manifest["folds"]
    newest = rows.number >= np.array([rows.held_out_from[account] for account in rows.account])
    frauds = rows.label[~newest].sum(), rows.label[newest].sum()
    if min(frauds) < rule["least_fraud"]:
        newest = np.zeros(len(rows.label), bool)
    apart = np.where(newest, capped_weights(rows, newest, most_share), capped_weights(rows, ~newest, most_share))
    encodings = learn_attributes(rows, observed, apart, manifest)
    names = [feature["name"] for feature in manifest["features"]] + [column["feature"] for column in encodings.columns]
    monotone = [feature["monotone"] for feature in manifest["features"]] + [0] * len(encodings.columns)
    trainer = Trainer(np.hstack([rows.values, encodings.values]), names, monotone, threads)
    older, held_out, everything = np.flatnonzero(~newest), np.flatnonzero(newest), np.arange(len(rows.label))
    columns = strongest(trainer, older, rows.label, apart, manifest["selection"])
    settings = dict(manifest["settings"])
    rounds = settings.pop("early_stopping_round")
    trees, line, measured = rule["trees_without"], rule["line_without"], None
    if len(held_out) > 0:
        data = trainer.dataset(older, rows.label, apart, columns)
        watched = trainer.dataset(held_out, rows.label, apart, columns, data)
        judge = trainer.train(settings | {"early_stopping_round": rounds}, columns, data, watched, rule["least_trees_share"])
        scores = judge.predict(trainer.values[np.ix_(held_out, columns)], raw_score=True)
        calibration = manifest["calibration"]
        stopping = settings | {"early_stopping_round": rounds}
        folds = earlier_folds(trainer, (rows, apart), (older, columns), stopping, manifest)
        shift = fraud_log_odds(rows.label, apart) - fraud_log_odds(rows.label[older], apart[older])
        line = calibrate_over_time([*folds, (held_out, scores + shift)], rows, apart, calibration)
        trees = round(judge.best_iteration * rule["more_trees"])
        auc = area_under_curve(scores, rows.label[held_out])
        measured = {"rows": len(held_out), "fraud": int(frauds[1]), "auc": auc}
    together = capped_weights(rows, np.ones(len(rows.label), bool), most_share)
    final = trainer.train(
        settings | {"num_iterations": trees}, columns, trainer.dataset(everything, rows.label, together, columns)
    )
    used = [names[column] for column in columns]
    description = {
        "attributes": {"columns": [column for column in encodings.columns if column["feature"] in used]},
        "calibration": {**line, "role": "replace"},
        "trust": manifest["trust"],
        "parent": manifest["parent"],
        "card": {
            "trained_at": datetime.datetime.now(datetime.timezone.utc).isoformat(),
            "window": {"from": rows.time(0), "to": rows.time(-1)},
            "rows": len(rows.label),
            "labels": {"fraud": int(rows.label.sum()), "legitimate": int((rows.label == 0).sum())},
            "settings": {**settings, "num_iterations": trees, "engine": f"LightGBM {lgb.__version__}"},
        },
    }
    if len(manifest["accounts"]) < manifest["shared_from"]:
        description["audience"] = sorted(account["scope"] for account in manifest["accounts"])
    # A screening reads the final encodings, where a training row had those of its time.
    scored = np.hstack([rows.values, encodings.final_values])[np.ix_(held_out, columns)]
    predictions = {"id": rows.id[held_out].tolist(), "raw": final.predict(scored, raw_score=True).tolist()}
    return final, description, {"trees": trees, "held_out": measured, **line}, predictions


def main():
    arguments = argparse.ArgumentParser(description="Trains a model with LightGBM on exported rows.")
    arguments.add_argument("folder", type=Path, help="what npm run model -- export wrote")
    arguments.add_argument("--out", type=Path, default=Path("candidates"), help="where the candidate goes")
    arguments.add_argument("--threads", type=int, default=0, help="threads; 0: one per core")
    arguments.add_argument("--predictions", type=Path, help="also write LightGBM's own scores of the held-out rows")
    given = arguments.parse_args()
    booster, description, summary, predictions = train(given.folder, given.threads)
    text = booster.model_to_string()
    folder = given.out / f"lightgbm-{hashlib.sha256(text.encode()).hexdigest()[:10]}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.txt").write_text(text)
    (folder / "model.json").write_text(json.dumps(description, indent=2))
    if given.predictions:
        given.predictions.write_text(json.dumps(predictions))
    print(json.dumps({"folder": str(folder), **summary}))


if __name__ == "__main__":
    main()
