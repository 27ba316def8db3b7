import { textTable } from '../../shared/cli/text-table';
import { DEFAULT_SETTINGS, MAX_TRACKED_ATTRIBUTES } from '../../shared/domain/accounts/account';
import type { AfdAssumption } from '../../shared/domain/afd/afd-body';
import { ATTRIBUTES } from '../../shared/domain/afd/afd-target';
import { entityStandIns, type PlannedVariable } from '../../shared/domain/afd/plan-variables';
import { canonicalText } from '../../shared/domain/entities/canonical-value';
import type { ModelCard } from '../../shared/domain/models/model-artefact';
import { observationOf } from '../../shared/domain/screening/attributes/observe-attributes';
import { CUSTOM_PREFIX, MAX_OBSERVED_BYTES } from '../../shared/domain/screening/attributes/observed-codec';
import { hadFraudBefore, type LabelledAttempt, proposeTracked } from '../engine/learn/propose-tracked';
import type { History } from '../replay/history';

export const AFD_COLUMNS = ['event_timestamp', 'event_label', 'label_timestamp', 'entity_id'] as const;
export type AfdColumn = (typeof AFD_COLUMNS)[number];

export const isAfdColumn = (name: string): boolean => (AFD_COLUMNS as readonly string[]).includes(name.toLowerCase());

/** The use of a column, how many values it has, and why. */
export interface ColumnUse {
  readonly column: string;
  readonly became: string;
  readonly values: number;
  readonly why: string;
}

const OWN: Readonly<Record<AfdColumn, readonly [became: string, why: string]>> = {
  event_timestamp: ['time of the event', "Amazon's format"],
  event_label: ['label', "Amazon's format"],
  label_timestamp: ['time of the label', "Amazon's format"],
  entity_id: ['user_id', "Amazon's format"],
};

/** Counts what was assumed while rows are read, for the table of columns and the notes below it. */
export function columnTable(header: readonly string[], plan: readonly PlannedVariable[]) {
  const values = new Map<string, number>(header.map((column) => [column, 0]));
  const misfits = new Map<string, number>();
  const entities = new Map<string, number>();
  const currencies = new Map<string, number>();
  const kinds = new Map<string, number>();
  const planned = new Map(plan.map((variable) => [variable.name, variable]));
  const hasEntities = header.some((column) => column.toLowerCase() === 'entity_id');

  const count = (assumption: AfdAssumption): void => {
    if (assumption.what === 'entity') add(entities, assumption.from);
    else if (assumption.what === 'currency') add(currencies, assumption.code);
    else if (assumption.what === 'kind') add(kinds, assumption.kind);
    else add(misfits, assumption.variable);
  };

  return {
    addRow(row: Readonly<Record<string, string>>, assumed: readonly AfdAssumption[]): void {
      for (const [column, value] of Object.entries(row)) if (value.trim() !== '') add(values, column);
      for (const assumption of assumed) count(assumption);
    },

    /** One row per column; with what training observed, also what it could not learn from. */
    columns: (observed?: ReadonlySet<string>): ColumnUse[] =>
      header.map((column) => {
        const own = OWN[column.trim().toLowerCase() as AfdColumn];
        const { target = 'ignore', why = '' } = planned.get(column) ?? {};
        const misfit = misfits.get(column) ?? 0;
        const notes = own
          ? [own[1]]
          : [
              why,
              ...(misfit > 0 ? [`${misfit} values that do not fit became the attribute ${column.toLowerCase()}`] : []),
              ...(target === 'currency' && currencies.size > 0 ? [`no rate for ${mostFirst(currencies)}`] : []),
              ...unlearnt(target, observed),
            ];
        return {
          column,
          became: own ? own[0] : target === 'ignore' ? '(not used)' : target,
          values: values.get(column) ?? 0,
          why: notes.join('; '),
        };
      }),

    /** Assumptions about rows as a whole. */
    notes: (): string[] => [
      ...[...entities].map(
        ([from, rows]) =>
          `${hasEntities ? 'ENTITY_ID is empty' : 'There is no column ENTITY_ID'}: ${rows} rows take ${from} as the user. Another choice: map a column to user_id.`,
      ),
      ...[...kinds].map(([kind, rows]) =>
        kind === 'signup'
          ? `${rows} rows have no amount and are read as signup events. If they are something else, say so: "kind" in the mapping.`
          : `${rows} rows have an amount and are read as transactions.`,
      ),
      ...unratedNotes(currencies),
    ],

    /** The column that stands for the user if there is none. */
    standIn: (): string | undefined => (hasEntities ? undefined : entityStandIns(plan)[0]?.name),
  };
}

/** The cost of currencies without a rate, one sentence for each. */
export const unratedNotes = (currencies: ReadonlyMap<string, number>): string[] =>
  [...currencies].map(
    ([code, rows]) => `${rows} rows are in ${code}, which has no rate: their amounts are not compared in dollars.`,
  );

/** `DEM (112), ITL (3)`. */
const mostFirst = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} (${count})`)
    .join(', ');

const add = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

function unlearnt(target: string, observed: ReadonlySet<string> | undefined): string[] {
  if (!target.startsWith(ATTRIBUTES) || observed === undefined) return [];
  const key = target.slice(ATTRIBUTES.length);
  if (observationOf(key) === 'never') return ['not learnt from: its name says that it is personal'];
  const name = CUSTOM_PREFIX + key;
  const isObserved = [...observed].some((each) => each === name || each.startsWith(`${name}.`));
  return isObserved ? [] : [`not learnt from: beyond the ${MAX_OBSERVED_BYTES} bytes that one event may leave`];
}

export const columnText = (columns: readonly ColumnUse[]): string =>
  textTable([
    ['COLUMN', 'BECAME', 'VALUES', 'WHY'],
    ...columns.map(({ column, became, values, why }) => [column, became, String(values), why]),
  ]);

type Proposals = NonNullable<ModelCard['worth_tracking']>;

/** The newest labelled lines that are looked at: 50 attributes of 200,000 lines take 40 MB. */
const MOST_LINES = 200_000;
const NUMBER = /^[+-]?\d{1,12}(\.\d{1,9})?$/;
/** If so many of its values are numbers, an attribute is learned as one. */
const NUMERIC_SHARE = 0.5;

/**
 * Attributes worth tracking, from the values of a history themselves: also of those that models may not observe, or have no
 * room for.
 */
export function historyProposals(history: History): Proposals {
  const skipped = Math.max(0, labelledIn(history) - MOST_LINES);
  const attempts: Array<Omit<LabelledAttempt, 'isKnown'>> = [];
  const users: number[] = [];
  const columns = new Map<string, { readonly values: Int32Array; numbers: number; present: number }>();
  let labelled = 0;
  for (const [, { subject, label, at_ms, label_known_at_ms }] of history.lines()) {
    if (label === undefined || labelled++ < skipped) continue;
    const at = attempts.length;
    attempts.push({ label, screened_at_ms: at_ms, labeled_at_ms: label_known_at_ms });
    users.push(numberOf(subject.user_id));
    for (const [key, value] of Object.entries(subject.custom_attributes ?? {})) {
      if (value === '' || DEFAULT_SETTINGS.tracked_attributes.includes(key)) continue;
      const column = columns.get(key) ?? { values: new Int32Array(MOST_LINES).fill(-1), numbers: 0, present: 0 };
      columns.set(key, column);
      column.values[at] = numberOf(canonicalText(value));
      column.present++;
      if (observationOf(key) === 'any' && NUMBER.test(value)) column.numbers++;
    }
  }
  const known = hadFraudBefore(attempts, users);
  const candidates = [...columns]
    .filter(([, { numbers, present }]) => numbers < NUMERIC_SHARE * present)
    .map(([key, { values }]) => ({ key, values }));
  return proposeTracked(
    attempts.map((attempt, at) => ({ ...attempt, isKnown: known[at] as boolean })),
    candidates,
  ).map((proposal) => ({ account_id: null, ...proposal }));
}

function labelledIn(history: History): number {
  let count = 0;
  for (const [, { label }] of history.lines()) if (label !== undefined) count++;
  return count;
}

/** FNV-1a to 31 bits: two of 200,000 values share a number in one of ten histories, which changes nothing. */
function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 1;
}

/** Attributes to track, and how to declare them; nothing if there is nothing to propose. */
export function proposalText(proposals: Proposals): string[] {
  if (proposals.length === 0) return [];
  const room = MAX_TRACKED_ATTRIBUTES - DEFAULT_SETTINGS.tracked_attributes.length;
  const keys = proposals.slice(0, room).map(({ key }) => key);
  return [
    '',
    'Worth tracking: attributes whose values have a history that predicts fraud (one write unit per screening each):',
    textTable([
      ['ATTRIBUTE', 'VALUES', 'REPEATED', 'FRAUD AFTER FRAUD'],
      ...proposals.map(({ key, values, repeated, lift }) => [
        key,
        String(values),
        `${Math.round(100 * repeated)}%`,
        `${lift} times as likely`,
      ]),
    ]),
    `  npm run admin -- accounts set ACCOUNT_ID --tracked-attributes ${[...DEFAULT_SETTINGS.tracked_attributes, ...keys].join(',')}`,
  ];
}
