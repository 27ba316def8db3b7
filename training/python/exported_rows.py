"""Reads what `npm run model -- export` wrote, in the order of screening."""

import json
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq

FORMAT = 1


def read_export(folder):
    """The manifest, the rows of all accounts that teach, and the observed attributes by name."""
    manifest = json.loads((folder / "manifest.json").read_text())
    if manifest["format"] != FORMAT:
        raise SystemExit(f"{folder} has format {manifest['format']}; this script reads {FORMAT}.")
    teaching = {account["account_id"]: account for account in manifest["accounts"]}
    if not teaching:
        raise SystemExit("No account has enough labels to teach.")
    rows = read_rows(folder, manifest, list(teaching))
    rows.held_out_from = {name: account["held_out_from"] for name, account in teaching.items()}
    rows.scope = {name: account["scope"] for name, account in teaching.items()}
    return manifest, rows, read_observed(folder, manifest, rows)


def read_rows(folder, manifest, teaching):
    names = [feature["name"] for feature in manifest["features"]]
    values = np.empty((manifest["rows"], len(names)), np.float32)
    facts = {name: [] for name in ("id", "account", "number", "label", "weight", "screened_at", "labeled_at")}
    end = 0
    for part in manifest["parts"]:
        # Part by part: a table of all rows in addition to the matrix would double the memory.
        table = pq.ParquetFile(folder / part["rows_file"]).read()
        chosen = np.isin(table["account"].to_numpy(zero_copy_only=False), teaching)
        start, end = end, end + int(chosen.sum())
        for column, name in enumerate(names):
            values[start:end, column] = table[name].to_numpy()[chosen]
        for name, collected in facts.items():
            collected.append(table[name].to_numpy(zero_copy_only=False)[chosen])
    joined = {name: np.concatenate(collected) for name, collected in facts.items()}
    joined["account"] = joined["account"].astype(str)
    for name in ("screened_at", "labeled_at"):
        joined[name] = joined[name].astype("datetime64[ms]").astype(np.int64)
    order = np.argsort(joined["screened_at"], kind="stable")
    rows = SimpleNamespace(values=values[:end][order], **{name: array[order] for name, array in joined.items()})
    rows.time = lambda at: str(rows.screened_at[at].astype("datetime64[ms]")) + "Z"
    return rows


def read_observed(folder, manifest, rows):
    """For each attribute: a value's bucket in every row (−1: not sent) and its number (NaN: not one)."""
    position = np.full(manifest["rows"], -1)
    position[rows.id] = np.arange(len(rows.id))
    attributes = {}
    for part in manifest["parts"]:
        if not part["observed_file"]:
            continue
        table = pq.ParquetFile(folder / part["observed_file"]).read()
        at = position[table["id"].to_numpy()]
        names = table["name"].combine_chunks().dictionary_encode()
        codes = names.indices.to_numpy(zero_copy_only=False)
        buckets, numbers = table["bucket"].to_numpy(), table["number"].to_numpy()
        for code, name in enumerate(names.dictionary.to_pylist()):
            chosen = (codes == code) & (at >= 0)
            if name not in attributes:
                size = len(rows.id)
                attributes[name] = (np.full(size, -1, np.int32), np.full(size, np.nan, np.float32))
            attributes[name][0][at[chosen]] = buckets[chosen]
            attributes[name][1][at[chosen]] = numbers[chosen]
    return attributes
