import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TEACHING_RULE, waterLevel } from '../../shared/domain/models/account-shares';
import type { Calibration } from '../../shared/domain/models/model-artefact';
import { accountScope, RULES_FEATURE } from '../../shared/domain/models/scoring-model';
import { TRAINING_RULE } from '../../shared/domain/models/training-rule';
import { CUSTOM_PREFIX } from '../../shared/domain/screening/attributes/observed-codec';
import { FEATURE_NAMES, FEATURE_VERSION } from '../../shared/domain/screening/features';
import { MOST_ATTRIBUTES } from '../engine/learn/attribute-columns';
import { USUAL_RULE } from '../engine/learn/calibrate-over-time';
import { CALIBRATION_RULE } from '../engine/learn/fit-calibration';
import { ATTRIBUTE_RULE } from '../engine/learn/learn-attributes';
import { VALUE_RULE } from '../engine/learn/learn-values';
import { LOOK_RULE } from '../engine/learn/select-features';
import { type SignalCounts, signalJudgements } from '../engine/learn/signal-judgements';
import { FOLD_RULE, HOLDOUT_RULE, SETTINGS } from '../engine/learn/train-model';
import { isLeftOut, isRiskEvidence } from '../engine/learn/training-matrix';

export interface ExportParent {
  readonly version: string;
  readonly calibration: Calibration;
}

/** Everything that a reader of the rows needs: what our own trainer would do with them, in numbers. */
export function manifestOf(state: ExportState, parent: ExportParent | undefined) {
  const { stage, as_of_ms, months, accounts, parts, held_labels, counts } = state;
  const teaching = accounts.filter((account) => canTeach(counts[account]));
  const cuts = heldOutFrom(teaching.map((account) => (counts[account] as AccountCounts).rows));
  const signals = state.signals.filter(([account]) => teaching.includes(account));
  return {
    format: 1,
    stage,
    as_of: new Date(as_of_ms).toISOString(),
    months,
    rows: parts.reduce((sum, { rows }) => sum + rows, 0),
    held_labels,
    parts,
    feature_version: FEATURE_VERSION,
    /** Columns of the rows to learn from; 1: a model must never lower the score as it rises. */
    features: [...FEATURE_NAMES, RULES_FEATURE]
      .filter((name) => !isLeftOut(name))
      .map((name) => ({ name, monotone: isRiskEvidence(name) ? 1 : 0 })),
    /** Accounts with enough labels to teach; rows of others are in the files, and teach nothing. */
    accounts: teaching.map((account, i) => ({
      account_id: account,
      scope: accountScope(account),
      ...(counts[account] as AccountCounts),
      held_out_from: cuts[i] as number,
    })),
    encodings: { custom_prefix: CUSTOM_PREFIX, most_attributes: MOST_ATTRIBUTES, ...ATTRIBUTE_RULE, ...VALUE_RULE },
    /** No account has more than this share of the fraud, nor of the legitimate weight. */
    weights: { column: 'weight', most_share: TEACHING_RULE.most_share },
    /** From `held_out_from` on, an account's rows are held out. */
    folds: { ...HOLDOUT_RULE, least_fraud: TRAINING_RULE.holdout_least },
    selection: LOOK_RULE,
    settings: LIGHTGBM_SETTINGS,
    /** A line through the newest rows and earlier folds, moved to the share of fraud that is usual. */
    calibration: {
      ...CALIBRATION_RULE,
      ...{ folds: FOLD_RULE, usual: USUAL_RULE },
      parent: parent?.calibration.role === 'replace' ? parent.calibration : null,
    },
    /** Below this many accounts, a model scores for those that taught it alone. */
    shared_from: TEACHING_RULE.shared_from,
    parent: parent?.version ?? null,
    trust: { judged: signalJudgements(signals).total() },
  };
}

/** LightGBM knows no other way to count them. */
const { rows_by_hessian: _, ...LIGHTGBM_SETTINGS } = SETTINGS;

export type ExportManifest = ReturnType<typeof manifestOf>;

const canTeach = (counted: AccountCounts | undefined): boolean =>
  counted !== undefined && Math.min(counted.fraud, counted.rows - counted.fraud) >= TEACHING_RULE.least_of_each;

/** The number of the first row that is held out of each account, as `splitNewest` cuts. */
function heldOutFrom(rows: readonly number[]): number[] {
  const wanted = rows.map((count) => Math.floor(count * HOLDOUT_RULE.share));
  const level = Math.floor(waterLevel(wanted, HOLDOUT_RULE.most_rows));
  return rows.map((count, i) => count - Math.min(wanted[i] as number, level));
}

export interface ExportedPart {
  readonly month: string;
  /** Relative to the folder of the export. */
  readonly rows_file: string;
  readonly observed_file: string;
  readonly rows: number;
  readonly observed: number;
}

/** The counts of one account in an export. */
export interface AccountCounts {
  readonly rows: number;
  readonly fraud: number;
}

/** Where the next row is: in the month and account at these positions, after a screening. */
export interface ExportPosition {
  readonly month: number;
  readonly account: number;
  readonly after: string | undefined;
}

/** How far an export has come: everything that it takes to continue after the last finished part. */
export interface ExportState {
  readonly stage: string;
  /** When it began: later labels are left out, so that a continued export equals one that was never interrupted. */
  readonly as_of_ms: number;
  readonly months: readonly string[];
  readonly accounts: readonly string[];
  readonly position: ExportPosition;
  readonly parts: readonly ExportedPart[];
  readonly held_labels: number;
  readonly counts: Readonly<Record<string, AccountCounts>>;
  readonly signals: SignalCounts;
}

const FILE = 'export-state.json';

/** The state of an export that was interrupted; undefined if there is none in the folder. */
export function readState(folder: string): ExportState | undefined {
  const file = join(folder, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ExportState) : undefined;
}

/** Replaces the state in one step: whatever interrupts it, either the old or the new one is there. */
export function writeState(folder: string, state: ExportState): void {
  const file = join(folder, FILE);
  writeFileSync(`${file}.new`, JSON.stringify(state));
  renameSync(`${file}.new`, file);
}
