"""LightGBM's side of bench/model.ts: trains on the same rows with the same settings, one thread, and scores our model.

    python3 compare.py FOLDER FEATURES    (the folder is written by the benchmark; prints one line of JSON)
"""

import json
import sys
import time
from pathlib import Path

import lightgbm as lgb
import numpy as np


def area_under_curve(scores, labels):
    """By ranks, so that nothing else need be installed."""
    _, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    ones = labels == 1
    total = ones.sum()
    return (ranks[ones].sum() - total * (total + 1) / 2) / (total * (len(labels) - total))


def main(folder, features):
    def read(name, kind):
        return np.fromfile(folder / name, dtype=kind)

    train, test = (read(name, np.float32).reshape(-1, features) for name in ("train", "test"))
    train_labels, test_labels = read("train_labels", np.uint8), read("test_labels", np.uint8)
    settings = json.loads((folder / "settings.json").read_text())
    settings |= {"objective": "binary", "verbosity": -1, "num_threads": 1, "seed": 1, "deterministic": True}
    start = time.process_time()
    # Binning counts: ours does it too.
    booster = lgb.train(settings, lgb.Dataset(train, train_labels))
    seconds = time.process_time() - start
    ours = lgb.Booster(model_file=str(folder / "ours.txt"))
    difference = np.abs(ours.predict(test, raw_score=True) - read("scores", np.float64)).max()
    answer = {
        "version": lgb.__version__,
        "seconds": seconds,
        "auc": area_under_curve(booster.predict(test, raw_score=True), test_labels),
        "difference": difference,
    }
    print(json.dumps({key: value if isinstance(value, str) else float(value) for key, value in answer.items()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
