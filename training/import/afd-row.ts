import { type AfdAssumption, AfdFault, afdBody } from '../../shared/domain/afd/afd-body';
import { type AfdMapping, labelOfName } from '../../shared/domain/afd/afd-mapping';
import type { PlannedVariable } from '../../shared/domain/afd/plan-variables';
import { LineFault } from '../replay/history-line';
import { afdTime } from './afd-time';

/** The columns that Amazon's format itself defines. */
export const AFD_COLUMNS = ['event_timestamp', 'event_label', 'label_timestamp', 'entity_id'] as const;
export type AfdColumn = (typeof AFD_COLUMNS)[number];

export const isAfdColumn = (name: string): boolean => (AFD_COLUMNS as readonly string[]).includes(name.toLowerCase());

/** A row of Amazon's CSV: the columns of the format, and the variables by name. */
export interface AfdRow {
  readonly own: Partial<Readonly<Record<AfdColumn, string>>>;
  readonly variables: Readonly<Record<string, string>>;
  /** From 1; names a row that says nothing about who acted. */
  readonly number: number;
}

/** A row as a line of a history, and what had to be assumed. */
export interface AfdLine {
  readonly line: unknown;
  readonly assumed: readonly AfdAssumption[];
}

/**
 * A row of Amazon's CSV as a line of a history.
 * @throws LineFault if it is unusable: no time, no valid amount, an unknown label
 */
export function afdLine(row: AfdRow, plan: readonly PlannedVariable[], mapping: AfdMapping): AfdLine {
  const { own, variables, number } = row;
  if (own.event_timestamp === undefined) throw new LineFault('EVENT_TIMESTAMP is missing');
  const label = labelOf(own.event_label, mapping);
  const { kind, body, assumed } = bodyOf(() =>
    afdBody({ variables, entityId: own.entity_id, fallbackId: `row-${number}` }, plan, mapping),
  );
  const label_t = own.label_timestamp === undefined ? null : afdTime(own.label_timestamp);
  return { line: { t: afdTime(own.event_timestamp), kind, body, label, label_t }, assumed };
}

function bodyOf<Body>(read: () => Body): Body {
  try {
    return read();
  } catch (error) {
    throw error instanceof AfdFault ? new LineFault(error.message) : error;
  }
}

function labelOf(label: string | undefined, mapping: AfdMapping): 0 | 1 | null {
  if (label === undefined) return null;
  const known = labelOfName(label, mapping);
  if (known === undefined) {
    throw new LineFault(`the label "${label}" is neither fraud nor legitimate: add it to the mapping`);
  }
  return known === 'fraud' ? 1 : 0;
}
