import type { Rule, RuleBody } from '../api/types';

/** What the editor of a new rule begins with. */
export const FRESH_RULE: RuleBody = {
  expression: '',
  action: 'review',
  points: null,
  priority: 500,
  state: 'draft',
  rollout_percent: 100,
  applies_to: null,
  expires_at: null,
  note: null,
  override_labels: false,
};

/** A rule as it is sent back, without what the service adds. */
export const bodyOf = (rule: Rule | Omit<Rule, 'matches'>): RuleBody => ({
  expression: rule.expression,
  action: rule.action,
  points: rule.points,
  priority: rule.priority,
  state: rule.state,
  rollout_percent: rule.rollout_percent,
  applies_to: rule.applies_to,
  expires_at: rule.expires_at,
  note: rule.note,
  override_labels: rule.override_labels,
});

/** A member that differs between two versions. */
export interface MemberChange {
  readonly member: keyof RuleBody;
  readonly from: string;
  readonly to: string;
}

const shown = (value: RuleBody[keyof RuleBody]): string => {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
};

/** What differs between two versions, in the order of the form. */
export const changesBetween = (before: RuleBody, after: RuleBody): MemberChange[] =>
  (Object.keys(FRESH_RULE) as (keyof RuleBody)[]).flatMap((member) => {
    const [from, to] = [shown(before[member]), shown(after[member])];
    return from === to ? [] : [{ member, from, to }];
  });

/** A part of a text: in both versions, only in the old one, or only in the new one. */
export interface DiffPart {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

const words = (text: string): string[] => text.match(/\s+|[\w.]+|"[^"]*"|[^\s\w."]+|./g) ?? [];

/** The differences of two texts, word by word: what the longest common run of words leaves over. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const [a, b] = [words(before), words(after)];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const [row, below] = [common[i] as Uint16Array, common[i + 1] as Uint16Array];
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  const parts: DiffPart[] = [];
  const add = (kind: DiffPart['kind'], text: string): void => {
    const last = parts.at(-1);
    if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text };
    else parts.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const isSame = i < a.length && j < b.length && a[i] === b[j];
    if (isSame) {
      add('same', a[i++] as string);
      j++;
    } else if (j >= b.length || (i < a.length && (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      add('gone', a[i++] as string);
    } else add('new', b[j++] as string);
  }
  return parts;
}
