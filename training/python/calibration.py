"""The calibration line of a model, as our own trainer fits it: over several folds in time."""

import numpy as np

WEEK_MS = 7 * 86_400_000


def fit_calibration(log_odds, labels, weights, rule):
    """Platt scaling by Newton's method, pulled towards the line of the model before."""
    parent = rule["parent"]
    usual = np.array([parent["slope"], parent["intercept"]] if parent else [1.0, 0.0])
    strength = np.array(
        [rule["slope_strength"], rule["intercept_strength" if parent else "first_intercept_strength"]]
    )
    line = usual.copy()
    for _ in range(30):
        chance = 1 / (1 + np.exp(-line[0] * log_odds - line[1]))
        residual = (chance - labels) * weights
        spread = chance * (1 - chance) * weights
        gradient = strength * (line - usual) + [(residual * log_odds).sum(), residual.sum()]
        both = (spread * log_odds).sum()
        hessian = np.diag(strength) + [[(spread * log_odds**2).sum(), both], [both, spread.sum()]]
        step = np.linalg.solve(hessian, gradient)
        if not np.isfinite(step).all():
            break
        line[0] = np.clip(line[0] - step[0], rule["least_slope"], rule["most_slope"])
        line[1] -= np.clip(step[1], -2, 2)
        if np.abs(step).sum() < 1e-9:
            break
    return {"slope": float(line[0]), "intercept": float(line[1])}


def odds_of(labels, weights):
    return weights[labels == 1].sum() / max(1e-9, weights[labels == 0].sum())


def usual_odds(rows, weights, rule):
    """The odds of fraud over the last weeks, with no week further above the median than it may be."""
    week = (rows.screened_at.max() - rows.screened_at) // WEEK_MS
    recent = week < rule["most_weeks"]
    fraud, honest = (
        np.bincount(week[recent & (rows.label == label)], weights[recent & (rows.label == label)], rule["most_weeks"])
        for label in (1, 0)
    )
    odds, honest = fraud[honest > 0] / honest[honest > 0], honest[honest > 0]
    most = rule["most_times_median"] * np.median(odds)
    # Where most weeks have no fraud at all, there is no usual week to compare with.
    return (honest * (np.minimum(most, odds) if most > 0 else odds)).sum() / max(1e-9, honest.sum())


def calibrate_over_time(folds, rows, weights, rule):
    """Folds (rows, log-odds) say how fraud and the rest differ; all rows of the last quarter say how much fraud there is."""
    chosen = np.concatenate([span for span, _ in folds])
    log_odds = np.concatenate([scores for _, scores in folds])
    labels, own = rows.label[chosen], weights[chosen]
    wanted, found = usual_odds(rows, weights, rule["usual"]), odds_of(labels, own)
    factor = wanted / found if wanted > 0 and found > 0 else 1
    return fit_calibration(log_odds, labels, np.where(labels == 1, factor * own, own), rule)
