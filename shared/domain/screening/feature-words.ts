import { featureWords } from './features';
import { surprise, type Words } from './features/feature-table';
import { percent } from './sentence';

/** The total of the signals: an input of models that is not a feature. */
const RULES: Words = ['signals', (value) => (value > 0 ? 'signals together' : 'no strong signals')];

/** A second account's column of the same attribute ends with its number. */
const LEARNED = /^(?:attr_)?(.*)_(number|rate|rank|amount)(?:_\d+)?$/;

/** An attribute that the model learned about: its number, its share of fraud, how common its value is, or what it usually costs. */
function learnedPhrase(name: string, value: number): string {
  const [, attribute = name, kind] = LEARNED.exec(name) ?? [];
  const words = attribute.replaceAll('_', ' ');
  if (Number.isNaN(value)) return `unknown ${words}`;
  if (kind === 'amount') return `${surprise(value)} for this ${words}`;
  if (kind === 'number') return `${words} ${Number(value.toPrecision(3))}`;
  return kind === 'rate' ? `about ${percent(value)} fraud for this ${words}` : `how common this ${words} is`;
}

/** A feature without a value, in words: `age of the device`. */
export function featureLabel(name: string): string {
  const words = name === 'rules_log_odds' ? RULES : featureWords(name);
  const [, attribute, kind] = LEARNED.exec(name) ?? [];
  if (words !== undefined || attribute === undefined) return words?.[0] ?? name;
  const plain = attribute.replaceAll('_', ' ');
  if (kind === 'amount') return `usual amounts (${plain})`;
  return kind === 'rate' ? `fraud rate of ${plain}` : kind === 'rank' ? `how common the ${plain} is` : plain;
}

/** One feature and its value in words, for a model's sentence: `device first seen 3 minutes ago`. */
export function featurePhrase(name: string, value: number): string {
  const words = name === 'rules_log_odds' ? RULES : featureWords(name);
  if (words === undefined) return learnedPhrase(name, value);
  const [label, says, missing = `unknown ${label}`] = words;
  return Number.isNaN(value) ? missing : says(value);
}
