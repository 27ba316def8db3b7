import { featureWords } from './features';
import type { Words } from './features/feature-words';
import { percent } from './sentence';

/** What the signals add up to: an input of models that is not a feature. */
const RULES: Words = ['signals', (value) => (value > 0 ? 'signals together' : 'no strong signals')];

/** An attribute that the model learned about: its number, its share of fraud, or how common its value is. */
function learnedPhrase(name: string, value: number): string {
  // A second account's column of the same attribute ends with its number.
  const [, attribute = name, kind] = /^(?:attr_)?(.*)_(number|rate|rank)(?:_\d+)?$/.exec(name) ?? [];
  const words = attribute.replaceAll('_', ' ');
  if (Number.isNaN(value)) return `unknown ${words}`;
  if (kind === 'number') return `${words} ${Number(value.toPrecision(3))}`;
  return kind === 'rate' ? `about ${percent(value)} fraud for this ${words}` : `how common this ${words} is`;
}

/** One feature and its value in words, for a model's sentence: `device first seen 3 minutes ago`. */
export function featurePhrase(name: string, value: number): string {
  const words = name === 'rules_log_odds' ? RULES : featureWords(name);
  if (words === undefined) return learnedPhrase(name, value);
  const [label, says, missing = `unknown ${label}`] = words;
  return Number.isNaN(value) ? missing : says(value);
}
