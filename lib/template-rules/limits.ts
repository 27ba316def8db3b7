import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Resource, resolved, type TemplateRule, textOf, type Value } from './synthesized-app';

/** A bound of one property: a number, the characters of a text, or how many entries a list or map has. */
export interface Limit {
  readonly type: string;
  /** Property names joined by dots; `[]` stands for each entry of a list. */
  readonly path: string;
  readonly of: 'value' | 'characters' | 'entries';
  readonly min: number;
  readonly max: number;
  readonly source: string;
}

/** Type and page of AWS's documentation; below them, each property with its least and its most. */
const TABLE = readFileSync(join(__dirname, 'limits.txt'), 'utf8');

function parse(table: string): readonly Limit[] {
  let [type, page] = ['', ''];
  return table.split('\n').flatMap((line): Limit[] => {
    const [first = '', second = '', min, max] = line.trim().split(' ');
    if (min === undefined) {
      if (first) [type, page] = [first, second];
      return [];
    }
    const source = `https://docs.aws.amazon.com/${page}`;
    return [{ type, path: first, of: second as Limit['of'], min: Number(min), max: Number(max), source }];
  });
}

export const LIMITS: readonly Limit[] = parse(TABLE);

function valuesAt(value: Value, [name, ...rest]: readonly string[]): Value[] {
  if (value === undefined || value === null || name === undefined) return value === undefined ? [] : [value];
  const each = name.endsWith('[]');
  const found = value[each ? name.slice(0, -2) : name];
  return each ? [found ?? []].flat().flatMap((entry: Value) => valuesAt(entry, rest)) : valuesAt(found, rest);
}

/** IAM counts no white space, and neither do we: JSON has none here. */
const size = (value: Value, of: Limit['of']): number => {
  if (of === 'value') return Number(value);
  if (of === 'entries') return typeof value === 'object' ? Object.keys(value).length : 1;
  return typeof resolved(value) === 'string' ? textOf(value).length : JSON.stringify(resolved(value)).length;
};

const isReference = (value: Value): boolean =>
  typeof value === 'object' && ('Ref' in value || 'Fn::ImportValue' in value);

export const limitRules: readonly TemplateRule[] = LIMITS.map(({ type, path, of, min, max, source }) => ({
  name: `${type} ${path}`,
  source,
  check: (app) =>
    app.ofType(type).flatMap(({ stack, id, Properties }: Resource) =>
      valuesAt(Properties, path.split('.')).flatMap((value) => {
        if (of === 'value' && isReference(value)) return [];
        const found = size(value, of);
        if (found >= min && found <= max) return [];
        const unit = of === 'value' ? '' : ` ${of}`;
        return [{ stack, id, says: `${path} is ${found}${unit}. Keep it between ${min} and ${max}.` }];
      }),
    ),
}));
