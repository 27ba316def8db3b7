"""Learns what observed attributes are, as training/engine/learn does: numbers, categories with their share of fraud, or nothing.

A category's share of fraud is, for every row, the one that was known when the row was screened. What is built in is learnt
from all accounts, a custom attribute account by account.
"""

import re
from types import SimpleNamespace

import numpy as np


def learn_attributes(rows, observed, weights, manifest):
    """The columns for model.json, their values in the rows as of their time, and as a screening would read them now."""
    rule = manifest["encodings"]
    slots = [feature["name"] for feature in manifest["features"]]
    ln_usd = rows.values[:, slots.index("amount_ln_usd")]
    columns, values, final, used = [], [], [], set()
    for name in kept_names(rows, observed, rule):
        buckets, numbers = observed[name]
        is_custom = name.startswith(rule["custom_prefix"])
        teachers = senders(rows, buckets, numbers, rule) if is_custom else [(None, np.arange(len(rows.label)))]
        if not teachers:
            continue
        most = min(rule["most_values"], -(-rule["most_codes"] // len(teachers)))
        learnt = [
            (owner, at, learn_values(rows, buckets[at], numbers[at], at, rows.weight if is_custom else weights, most, rule))
            for owner, at in teachers
        ]
        history = name.removeprefix(rule["custom_prefix"]) + "_tx_24h"
        tracked = history in slots and 2 * (rows.values[:, slots.index(history)] >= 0).sum() > (buckets >= 0).sum()
        of_rows = (buckets, numbers, ln_usd, tracked)
        for column, as_of, now in columns_of(name, learnt, of_rows, feature_name(name, used), rule):
            columns.append(column)
            values.append(as_of)
            final.append(now)
    empty = np.empty((len(rows.label), 0), np.float32)
    return SimpleNamespace(
        columns=columns,
        values=np.column_stack(values) if values else empty,
        final_values=np.column_stack(final) if final else empty,
    )


def kept_names(rows, observed, rule):
    """The attributes that enough rows have: every account names its most frequent in turn."""
    present = {name: int((buckets >= 0).sum()) for name, (buckets, _) in observed.items()}
    enough = {name for name, count in present.items() if count >= rule["least_rows"]}
    lists = []
    for account in dict.fromkeys(rows.account):
        own = rows.account == account
        counts = [(name, int((observed[name][0][own] >= 0).sum())) for name in observed]
        lists.append([name for name, count in sorted(counts, key=most_frequent) if count > 0])
    kept = {}
    for turn in range(max(map(len, lists), default=0)):
        for names in lists:
            if turn < len(names) and names[turn] in enough and len(kept) < rule["most_attributes"]:
                kept[names[turn]] = present[names[turn]]
    return [name for name, _ in sorted(kept.items(), key=most_frequent)]


def most_frequent(entry):
    name, count = entry
    return -count, name


def senders(rows, buckets, numbers, rule):
    """The accounts that send an attribute often enough, those with most rows first."""
    found = []
    for account, scope in rows.scope.items():
        at = np.flatnonzero(rows.account == account)
        sent = int(((buckets[at] >= 0) | ~np.isnan(numbers[at])).sum())
        if sent >= rule["least_rows"]:
            found.append((-sent, scope, at))
    return [(scope, at) for _, scope, at in sorted(found, key=lambda entry: entry[:2])]


def learn_values(rows, buckets, numbers, at, weights, most, rule):
    """Whether an attribute is a number, a category, both or neither, for one teacher."""
    numeric = numbers[~np.isnan(numbers)]
    present = int(((buckets >= 0) | ~np.isnan(numbers)).sum())
    is_number = len(numeric) >= rule["numeric_share"] * present and len(np.unique(numeric)) > 1
    found, counts = np.unique(buckets[buckets >= 0], return_counts=True)
    order = np.lexsort((found, -counts))
    frequent = [at for at in order if counts[at] >= rule["least_rows_of_value"]][:most]
    codes = found[frequent] if counts[frequent].sum() >= rule["least_coverage"] * present else found[:0]
    is_category = len(codes) > 1 and (not is_number or len(found) <= rule["few_values"])
    rates = rates_over_time(rows, buckets, at, weights, codes, rule["prior_rows"]) if is_category else None
    return SimpleNamespace(is_number=is_number, codes=codes, rates=rates)


def rates_over_time(rows, buckets, at, weights, codes, prior_rows):
    """Smoothed shares of fraud: for each row by the labels known when it was screened, and by all of them."""
    screened, labeled, label, weight = rows.screened_at[at], rows.labeled_at[at], rows.label[at], weights[at]
    seen_all, fraud_all = known_by(labeled, label, weight, screened)
    prior = (fraud_all + 1) / (seen_all + 100)
    prior_now = ((weight * label).sum() + 1) / (weight.sum() + 100)
    per_row = np.full(len(at), np.nan, np.float32)
    now = []
    for code in codes:
        own = buckets == code
        seen, fraud = known_by(labeled[own], label[own], weight[own], screened[own])
        per_row[own] = (fraud + prior[own] * prior_rows) / (seen + prior_rows)
        total = ((weight * label)[own].sum() + prior_now * prior_rows) / (weight[own].sum() + prior_rows)
        now.append((int(code), float(np.float32(total))))
    return SimpleNamespace(per_row=per_row, now=now)


def known_by(labeled, label, weight, times):
    """The weight of all labels, and of fraud, that were known at each time."""
    order = np.argsort(labeled, kind="stable")
    known = np.searchsorted(labeled[order], times, side="right")
    seen = np.concatenate([[0], np.cumsum(weight[order])])
    fraud = np.concatenate([[0], np.cumsum((weight * label)[order])])
    return seen[known], fraud[known]


def columns_of(source, learnt, of_rows, name, rule):
    """The columns that an attribute becomes: (description, values as of their time, values as read now)."""
    buckets, numbers, ln_usd, tracked = of_rows
    size = len(buckets)
    made = []

    def spread(at, values):
        column = np.full(size, np.nan, np.float32)
        column[at] = values
        return column

    def head(kind, feature, owner=None):
        return {"kind": kind, "feature": feature, "source": source, **({} if owner is None else {"owner": owner})}

    def copy(index):
        return "" if index == 0 else f"_{index + 1}"

    def read(codes, at):
        return np.array([codes.get(int(bucket), np.nan) for bucket in buckets[at]], np.float32)

    own_columns = rule["most_own_columns"]
    for index, (owner, at, _) in enumerate([each for each in learnt if each[2].is_number][:own_columns]):
        column = spread(at, numbers[at])
        made.append((head("number", f"{name}_number{copy(index)}", owner), column, column))
    categories = [each for each in learnt if each[2].rates is not None]
    if categories and not tracked:
        made.append(rate_column(categories, lambda kind: head(kind, f"{name}_rate"), size, read))
    ranked = [each for each in categories if len(each[2].codes) <= rule["few_values"]]
    for index, (owner, at, values) in enumerate(ranked[:own_columns]):
        codes = [(int(code), rank) for rank, code in enumerate(values.codes)]
        column = spread(at, read(dict(codes), at))
        made.append(({**head("rank", f"{name}_rank{copy(index)}", owner), "codes": codes}, column, column))
    priced = [(owner, at, usual_amounts(buckets[at], ln_usd[at], values.codes, rule)) for owner, at, values in categories]
    for index, (owner, at, codes) in enumerate([each for each in priced if len(each[2]) > 1][:own_columns]):
        mean, sd = (read({code[0]: code[part] for code in codes}, at) for part in (1, 2))
        column = spread(at, (ln_usd[at] - mean) / sd)
        made.append(({**head("amount", f"{name}_amount{copy(index)}", owner), "codes": codes}, column, column))
    return made


def rate_column(categories, head, size, read):
    """The share of fraud of each value, by the labels of whoever sends it."""
    rates, rates_now, accounts = np.full(size, np.nan, np.float32), np.full(size, np.nan, np.float32), []
    for owner, at, values in categories:
        rates[at] = values.rates.per_row
        rates_now[at] = read(dict(values.rates.now), at)
        accounts.append({"scope": owner, "codes": values.rates.now})
    if accounts[0]["scope"] is None:
        return {**head("rate"), "codes": accounts[0]["codes"]}, rates, rates_now
    return {**head("own_rate"), "accounts": accounts}, rates, rates_now


def usual_amounts(buckets, ln_usd, codes, rule):
    """Mean and spread of the logarithm of what is paid with each value."""
    found = []
    for code in codes:
        paid = ln_usd[(buckets == code) & ~np.isnan(ln_usd)].astype(np.float64)
        if len(paid) >= rule["least_rows_of_value"]:
            sd = np.sqrt(paid.var() + rule["least_variance"])
            found.append((int(code), float(np.float32(paid.mean())), float(np.float32(sd))))
    return found


def feature_name(source, used):
    """A name that LightGBM accepts and no other attribute has."""
    plain = "attr_" + re.sub(r"\W+", "_", re.sub(r"^attributes\.", "", source), flags=re.ASCII)
    name, copy = plain, 2
    while name in used:
        name, copy = f"{plain}_{copy}", copy + 1
    used.add(name)
    return name
