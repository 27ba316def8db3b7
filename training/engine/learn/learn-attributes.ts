import { ownerOf } from '../../../shared/domain/models/account-shares';
import {
  type AttributeColumn,
  type AttributeSchema,
  amountReader,
} from '../../../shared/domain/models/attribute-schema';
import { accountScope } from '../../../shared/domain/models/scoring-model';
import { type TrainingRow, vectorOf } from '../../../shared/domain/models/training-row';
import { CUSTOM_PREFIX } from '../../../shared/domain/screening/attributes/observed-codec';
import { featureSlot } from '../../../shared/domain/screening/features';
import { ATTRIBUTE_SLOTS } from '../../../shared/domain/screening/features/counterpart-features';
import { type AttributeValues, attributeColumns } from './attribute-columns';
import {
  countValues,
  type LearningLimits,
  type LearntValues,
  learnValues,
  type Teacher,
  VALUE_RULE,
} from './learn-values';

const AMOUNT = featureSlot('amount_ln_usd');
/** The attributes that have a history where they are tracked, and a slot that is filled if so. */
const HISTORIES = ATTRIBUTE_SLOTS.map((key) => [`${CUSTOM_PREFIX}${key}`, featureSlot(`${key}_tx_24h`)] as const);

export const ATTRIBUTE_RULE = {
  /** Nothing can be learnt from an attribute that fewer rows have. */
  least_rows: 50,
  /** Codes of one attribute over all accounts: the more accounts send it, the fewer values of each have one. */
  most_codes: 4_096,
  /** Accounts that get their own column of a custom attribute's numbers and ranks, by their rows; rates are for all. */
  most_own_columns: 8,
} as const;

export interface AttributeFinding {
  readonly name: string;
  readonly rows: number;
  readonly values: number;
  readonly made: 'number' | 'category' | 'number and category' | 'nothing';
}

/** The schema, with the values of the training rows, which do not depend on later labels. */
export interface LearnedAttributes {
  readonly schema: AttributeSchema;
  readonly findings: readonly AttributeFinding[];
  /** Values of each column, in the order of the schema. */
  readonly values: readonly Float32Array[];
}

/**
 * Learns what kind each attribute is. For each row, a category's fraud rate is that of the labels known when the row was
 * screened; the schema keeps the final rates.
 *
 * A built-in attribute (currency, billing country, …) means the same to everybody and is learnt from all accounts, with the
 * weights that bound each of them. A custom attribute is learnt account by account, from that account's labels alone, and
 * read for that account alone: nobody's labels say anything about a value that somebody else sends.
 */
export function learnAttributes(
  rows: readonly TrainingRow[],
  weights: Float64Array = ownWeights(rows),
): LearnedAttributes {
  const tracked = new Map<string, number>();
  const lnUsd = Float32Array.from(rows, (row) => {
    const vector = vectorOf(row);
    for (const [name, slot] of HISTORIES) {
      if ((vector[slot] as number) >= 0) tracked.set(name, (tracked.get(name) ?? 0) + 1);
    }
    return vector[AMOUNT] as number;
  });
  const columns: AttributeColumn[] = [];
  const values: Float32Array[] = [];
  const used = new Set<string>();
  const own = ownWeights(rows);
  const everybody: readonly Teacher[] = [{ positions: rows.map((_, at) => at), owner: undefined }];
  const accounts = teachersOf(rows);
  const findings = attributeColumns(rows, ATTRIBUTE_RULE.least_rows).map((attribute): AttributeFinding => {
    const isCustom = attribute.name.startsWith(CUSTOM_PREFIX);
    const teachers = isCustom ? sendersOf(attribute, accounts) : everybody;
    const limits = {
      ...{ weights: isCustom ? own : weights, lnUsd },
      mostValues: Math.ceil(ATTRIBUTE_RULE.most_codes / teachers.length),
    };
    const learnt = teachers.map((teacher) => learnValues(rows, attribute, teacher, limits));
    const isTracked = 2 * (tracked.get(attribute.name) ?? 0) > attribute.present;
    const read = { ...attribute, lnUsd, isTracked };
    for (const [column, perRow] of columnsOf(read, learnt, featureName(attribute.name, used))) {
      columns.push(column);
      values.push(perRow);
    }
    const isNumber = learnt.some((found) => found.isNumber);
    const isCategory = learnt.some(({ category }) => category !== undefined);
    const made = isNumber ? (isCategory ? 'number and category' : 'number') : isCategory ? 'category' : 'nothing';
    return { name: attribute.name, rows: attribute.present, values: countValues(attribute.buckets).size, made };
  });
  return { schema: { columns }, findings, values };
}

const ownWeights = (rows: readonly TrainingRow[]): Float64Array => Float64Array.from(rows, ({ weight = 1 }) => weight);

function teachersOf(rows: readonly TrainingRow[]): Teacher[] {
  const groups = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const group = groups.get(ownerOf(row));
    if (group) group.push(at);
    else groups.set(ownerOf(row), [at]);
  });
  return [...groups].map(([account, positions]) => ({
    positions,
    owner: account === '' ? undefined : accountScope(account),
  }));
}

/** The accounts that send an attribute often enough, those with most rows first. */
function sendersOf({ buckets, numbers }: AttributeValues, accounts: readonly Teacher[]): Teacher[] {
  const isSent = (at: number) => buckets[at] !== -1 || !Number.isNaN(numbers[at]);
  return accounts
    .map((teacher) => ({ teacher, sent: teacher.positions.filter(isSent).length }))
    .filter(({ sent }) => sent >= ATTRIBUTE_RULE.least_rows)
    .sort((a, b) => b.sent - a.sent || (a.teacher.owner ?? 0) - (b.teacher.owner ?? 0))
    .map(({ teacher }) => teacher);
}

type Column = readonly [AttributeColumn, perRow: Float32Array];

function columnsOf(
  attribute: AttributeValues & Pick<LearningLimits, 'lnUsd'> & { readonly isTracked: boolean },
  learnt: readonly LearntValues[],
  name: string,
): Column[] {
  const source = attribute.name;
  const { length } = attribute.buckets;
  const copy = (at: number) => (at === 0 ? '' : `_${at + 1}`);
  const numbers = learnt
    .filter(({ isNumber }) => isNumber)
    .slice(0, ATTRIBUTE_RULE.most_own_columns)
    .map(({ teacher }, at): Column => {
      const read = (position: number) => attribute.numbers[position] as number;
      const head = { kind: 'number', feature: `${name}_number${copy(at)}`, source } as const;
      return [{ ...head, ...ownedBy(teacher) }, spread(length, teacher.positions, read)];
    });
  const categories = learnt.flatMap(({ teacher, category }) => (category ? [{ teacher, ...category }] : []));
  const ranks = categories
    .filter(({ ranks: codes }) => codes.length <= VALUE_RULE.few_values)
    .slice(0, ATTRIBUTE_RULE.most_own_columns)
    .map(({ teacher, ranks: codes }, at): Column => {
      const rankOf = new Map(codes);
      const read = (position: number) => rankOf.get(attribute.buckets[position] as number) ?? Number.NaN;
      const head = { kind: 'rank', feature: `${name}_rank${copy(at)}`, source, codes } as const;
      return [{ ...head, ...ownedBy(teacher) }, spread(length, teacher.positions, read)];
    });
  const amounts = categories
    .filter(({ amounts: codes }) => codes.length > 1)
    .slice(0, ATTRIBUTE_RULE.most_own_columns)
    .map(({ teacher, amounts: codes }, at): Column => {
      const readAmount = amountReader(codes);
      const read = (position: number) =>
        readAmount({ bucket: attribute.buckets[position] as number }, attribute.lnUsd[position] as number);
      const head = { kind: 'amount', feature: `${name}_amount${copy(at)}`, source, codes } as const;
      return [{ ...head, ...ownedBy(teacher) }, spread(length, teacher.positions, read)];
    });
  // What labels said of a tracked value, its history says, up to date (ADR 63).
  if (categories.length === 0 || attribute.isTracked) return [...numbers, ...ranks, ...amounts];
  const rates = new Float32Array(length).fill(Number.NaN);
  for (const { teacher, ratePerRow } of categories) {
    teacher.positions.forEach((position, i) => {
      rates[position] = ratePerRow[i] as number;
    });
  }
  const feature = `${name}_rate`;
  const accounts = categories.flatMap(({ teacher: { owner }, rates: codes }) =>
    owner === undefined ? [] : [{ scope: owner, codes }],
  );
  const column: AttributeColumn =
    accounts.length === 0
      ? { kind: 'rate', feature, source, codes: categories[0]?.rates ?? [] }
      : { kind: 'own_rate', feature, source, accounts };
  return [...numbers, [column, rates], ...ranks, ...amounts];
}

const ownedBy = ({ owner }: Teacher): { owner?: number } => (owner === undefined ? {} : { owner });

function spread(length: number, positions: readonly number[], valueAt: (position: number) => number): Float32Array {
  const values = new Float32Array(length).fill(Number.NaN);
  for (const position of positions) values[position] = valueAt(position);
  return values;
}

/** A name that LightGBM accepts and no other attribute has. */
function featureName(source: string, used: Set<string>): string {
  const plain = `attr_${source.replace(/^attributes\./, '').replace(/\W+/g, '_')}`;
  let name = plain;
  for (let copy = 2; used.has(name); copy++) name = `${plain}_${copy}`;
  used.add(name);
  return name;
}
