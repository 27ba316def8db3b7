import { DEFAULT_SETTINGS } from '../../../shared/domain/accounts/account';
import { byAccount } from '../../../shared/domain/models/account-shares';
import type { ModelCard } from '../../../shared/domain/models/model-artefact';
import { type TrainingRow, vectorOf } from '../../../shared/domain/models/training-row';
import { CUSTOM_PREFIX } from '../../../shared/domain/screening/attributes/observed-codec';
import { FEATURE_NAMES } from '../../../shared/domain/screening/features';
import { attributeColumns } from './attribute-columns';
import { type LabelledAttempt, proposeTracked } from './propose-tracked';

const LEAST_ROWS = 200;
/** Accounts that are looked at, those with most rows first: every further one costs time in every training. */
const MOST_ACCOUNTS = 8;
/** Parts that are observed of an email address; the address itself is the attribute. */
const PART_OF_EMAIL = /\.(domain|word|digits|length)$/;
const HISTORIES = (['user_fraud_labels', 'device_fraud_labels', 'ip_fraud_labels'] as const).map((name) =>
  FEATURE_NAMES.indexOf(name),
);

/**
 * Attributes worth tracking, from what was observed of training rows: values are known to 16 bits, so their number is a
 * lower bound. Attributes that are tracked by default are not proposed.
 */
export function rowProposals(rows: readonly TrainingRow[]): NonNullable<ModelCard['worth_tracking']> {
  const accounts = [...byAccount(rows)]
    .filter(([, own]) => own.length >= LEAST_ROWS)
    .sort((a, b) => b[1].length - a[1].length)
    .slice(0, MOST_ACCOUNTS);
  return accounts.flatMap(([account, own]) =>
    proposeTracked(own.map(attemptOfRow), customColumns(own)).map((proposal) => ({
      account_id: account === '' ? null : account,
      ...proposal,
    })),
  );
}

function attemptOfRow(row: TrainingRow): LabelledAttempt {
  const vector = vectorOf(row);
  const { label, screened_at_ms, labeled_at_ms, weight = 1 } = row;
  const isKnown = HISTORIES.some((slot) => (vector[slot] as number) > 0);
  return { label, screened_at_ms, labeled_at_ms, weight, isKnown };
}

function customColumns(rows: readonly TrainingRow[]) {
  return attributeColumns(rows, LEAST_ROWS / 2).flatMap(({ name, buckets, numeric, present }) => {
    const key = name.slice(CUSTOM_PREFIX.length);
    // Numbers are learned as numbers: a basket of 3 has no history.
    const isCustom = name.startsWith(CUSTOM_PREFIX) && !PART_OF_EMAIL.test(key) && numeric < 0.5 * present;
    return isCustom && !DEFAULT_SETTINGS.tracked_attributes.includes(key) ? [{ key, values: buckets }] : [];
  });
}
