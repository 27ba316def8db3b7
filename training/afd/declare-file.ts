import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { stringify } from 'yaml';
import { DEFAULT_SETTINGS } from '../../shared/domain/accounts/account';
import { type AfdMapping, kindOfType, mappingOfType } from '../../shared/domain/afd/afd-mapping';
import { ATTRIBUTES } from '../../shared/domain/afd/afd-target';
import { ownTypeName } from '../../shared/domain/afd/afd-types';
import { planVariables } from '../../shared/domain/afd/plan-variables';
import type { AttributeType } from '../../shared/domain/declarations/declaration';
import { readAttribute } from '../../shared/domain/declarations/read-attribute';
import { isAfdColumn } from '../import/column-table';
import { readAfdCsv } from '../import/read-afd-csv';

/** Types that values can prove, most special first; a number of a known field, such as `card_bin`, is a name. */
const BY_VALUES = ['boolean', 'number'] as const;
const BY_KEY: Readonly<Record<string, AttributeType>> = { email: 'email', phone: 'phone' };

/** The declarations of a file in Amazon's format: its variables by what all their values are, and its event type. */
export async function declarationsOf(file: string, given: AfdMapping, eventType = basename(file).replace(/\..*$/, '')) {
  const mapping = mappingOfType(eventType, given);
  const values = new Map<string, Set<string>>();
  await readAfdCsv(file, mapping, () => undefined, {
    onRow: (_, record) => {
      for (const [column, value] of Object.entries(record)) {
        if (isAfdColumn(column)) continue;
        values.set(column, (values.get(column) ?? new Set()).add(value.trim()));
      }
    },
  });
  const plan = planVariables([...values.keys()], mapping);
  const tracked = new Set(DEFAULT_SETTINGS.tracked_attributes);
  const attributes: Record<string, { type: AttributeType; entity?: true }> = {};
  for (const { name, target, why } of plan) {
    if (!target.startsWith(ATTRIBUTES)) continue;
    const key = target.slice(ATTRIBUTES.length);
    const known = [...(values.get(name) ?? [])].filter((value) => value !== '');
    const isAll = (type: AttributeType) => known.every((value) => readAttribute(type, value, undefined) !== undefined);
    const proven = why === 'by its name' || known.length === 0 ? undefined : BY_VALUES.find(isAll);
    attributes[key] = { type: BY_KEY[key] ?? proven ?? 'text', ...(tracked.has(key) ? { entity: true } : {}) };
  }
  const hasAmount = plan.some(({ target }) => target === 'amount');
  const own = { [ownTypeName(eventType)]: { amount: hasAmount ? 'optional' : 'none' } };
  return { attributes, ...(kindOfType(eventType, given) === undefined ? { event_types: own } : {}) };
}

export async function declareFile(
  file: string,
  mapping: AfdMapping,
  { out, eventType }: { readonly out: string; readonly eventType?: string | undefined },
): Promise<string> {
  const declared = await declarationsOf(file, mapping, eventType);
  writeFileSync(out, stringify(declared));
  const types = Object.keys(declared.event_types ?? {});
  return [
    ...Object.entries(declared.attributes).map(([key, { type }]) => `${key}: ${type}`),
    `${Object.keys(declared.attributes).length} attributes${types.map((name) => ` and the event type ${name}`).join('')} written to ${out}; npm run rules -- apply ${out} declares them.`,
  ].join('\n');
}
