"""Ranks the test rows of history-beside-lightgbm.ts by LightGBM, which stops early on the newest fifth of what it learns from."""

import json
import sys
from pathlib import Path

import lightgbm as lgb
import numpy as np

SETTINGS = {"objective": "binary", "learning_rate": 0.05, "num_leaves": 31, "lambda_l2": 1, "verbosity": -1, "seed": 1}
SETTINGS |= {"feature_fraction": 0.8, "bagging_fraction": 0.8, "bagging_freq": 1, "deterministic": True}


def area_under_curve(scores, labels):
    order = np.argsort(scores, kind="stable")
    _, inverse, counts = np.unique(scores[order], return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    frauds = labels[order] == 1
    total = frauds.sum()
    return float((ranks[frauds].sum() - total * (total + 1) / 2) / (total * (len(labels) - total)))


def average_precision(scores, labels):
    order = np.argsort(-scores, kind="stable")
    last = np.r_[np.diff(scores[order]) != 0, True]
    hits = np.cumsum(labels[order])[last]
    found = np.diff(np.r_[0, hits])
    return float((found * hits / (np.flatnonzero(last) + 1)).sum() / labels.sum())


folder = Path(sys.argv[1])
known = json.loads((folder / "labels.json").read_text())
train, test = (np.fromfile(folder / f"{name}.f32", np.float32).reshape(-1, known["features"]) for name in ("train", "test"))
labels, wanted = np.array(known["train"]), np.array(known["test"])
cut = len(labels) * 4 // 5
early = lgb.early_stopping(50, verbose=False)
newest = lgb.Dataset(train[cut:], labels[cut:])
trees = lgb.train(SETTINGS, lgb.Dataset(train[:cut], labels[:cut]), 500, valid_sets=[newest], callbacks=[early]).best_iteration
scores = lgb.train(SETTINGS, lgb.Dataset(train, labels), max(30, trees)).predict(test)
print(json.dumps({"auc": area_under_curve(scores, wanted), "average_precision": average_precision(scores, wanted)}))
