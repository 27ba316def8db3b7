import { readdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { METRIC_CATALOGUE } from '../../../shared/metrics/catalogue';

/** The values that a member of a log line may have. A member that is not here may not be logged. */
type Rule = RegExp | 'number' | 'boolean' | 'words' | 'error' | 'counts' | 'trace' | 'metrics';

const ULID = '[0-9A-HJKMNP-TV-Z]{26}';
const NAME = /^[a-z][a-z0-9_.-]{0,60}$/;
const WORD = /^[a-z]+(?:_[a-z]+)*$/;

const ALLOWED: Readonly<Record<string, Rule>> = {
  level: /^(INFO|WARN|ERROR)$/,
  message: 'words',
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  service: NAME,
  stage: /^(sandbox|production)$/,
  operation: NAME,
  trace_id: /^[0-9a-f]{32}$/,
  request_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  account_id: new RegExp(`^acc_${ULID}$`),
  // A key, or a hash of who signed in at the provider.
  key_id: new RegExp(`^(key_${ULID}|oidc_[0-9a-f]{26})$`),
  webhook_id: new RegExp(`^wh_${ULID}$`),
  delivery_id: new RegExp(`^dlv_${ULID}$`),
  message_id: new RegExp(`^msg_${ULID}$`),
  event_type: NAME,
  status: /^(\d{3}|pending|delivered|failed|cancelled)$/,
  status_code: 'number',
  attempt: 'number',
  duration_ms: 'number',
  replayed: 'boolean',
  outcome: WORD,
  refusal: WORD,
  afd_operation: /^[A-Za-z]{1,64}$/,
  decision: /^(allow|challenge|review|block)$/,
  model_version: NAME,
  // Names of our own signals, and a rule by the name that its account gave it.
  signals: /^[a-z]+(?:_[a-z]+)*(?: [a-z]+(?:_[a-z]+)*)*$/,
  rule: NAME,
  rule_account_id: new RegExp(`^acc_${ULID}$`),
  service_version: /^\d+\.\d+\.\d+$/,
  code: WORD,
  unfinished: 'boolean',
  records: 'number',
  counted: 'number',
  repeated: 'number',
  completed: 'number',
  pending: 'number',
  looked_at: 'number',
  skipped: 'number',
  set_aside: 'number',
  deliveries: 'number',
  lag_ms: 'number',
  swept: 'number',
  failed: 'number',
  closed: 'number',
  // How many expired entries of lists a sweep has removed.
  removed: 'number',
  // A training run, about models and not about people.
  detail: 'words',
  version: NAME,
  champion: NAME,
  intelligence: /^[0-9a-f]{8,64}$/,
  labels: 'counts',
  error: 'error',
  // Lambda's own words for a function that died, as the local run prints them.
  errorType: 'words',
  errorMessage: 'words',
  trace: 'trace',
  _aws: 'metrics',
};

const LUHN_LENGTHS = /\b(?:\d[ -]?){12,18}\d\b/g;

/** The digit sum that every card number passes, and one in ten others. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at]);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const isCardNumber = (text: string): boolean => {
  const digits = text.replace(/[ -]/g, '');
  return /^[2-6]/.test(digits) && passesLuhn(digits);
};

const LOOPBACK = new Set(['127.0.0.1', '::1', '0.0.0.0', '::']);

/** Texts that must appear nowhere in a log. */
const FORBIDDEN: ReadonlyArray<readonly [what: string, found: (text: string) => boolean]> = [
  ['a card number', (text) => (text.match(LUHN_LENGTHS) ?? []).some(isCardNumber)],
  ['an e-mail address', (text) => /[\w.+-]+@[\w-]+\.[a-z]{2,}/i.test(text)],
  [
    'an IP address',
    (text) =>
      text.split(/[^0-9A-Fa-f:.]+/).some((word) => isIP(word.replace(/[.:]+$/, '')) !== 0 && !LOOPBACK.has(word)),
  ],
  ['an API key', (text) => /sk_(test|live)_[0-9A-Za-z]{8}/.test(text)],
  ['a signing secret', (text) => /whsec_/.test(text)],
  ['an authorization header', (text) => /\bBearer\s+\S/i.test(text)],
  ['a body', (text) => /[{[]\s*\\?"|\\?"\s*:\s*/.test(text)],
];

const inText = (text: string): string[] => FORBIDDEN.flatMap(([what, found]) => (found(text) ? [what] : []));

function inError(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return ['an error that is none'];
  return Object.entries(error).flatMap(([name, value]) => {
    if (name === 'cause') return inError(value);
    if (!['name', 'message', 'stack'].includes(name)) return [`error.${name}`];
    return typeof value === 'string' ? inText(value) : [`error.${name} is no text`];
  });
}

function inMember(name: string, value: unknown, rule: Rule): string[] {
  const wrong = [`${name} is ${JSON.stringify(value)?.slice(0, 80)}`];
  if (value === null) return [];
  if (rule instanceof RegExp) return rule.test(String(value)) ? [] : wrong;
  switch (rule) {
    case 'number':
    case 'boolean':
      return typeof value === rule ? [] : wrong;
    case 'words':
      // Why a model was refused takes four sentences.
      return typeof value === 'string' && value.length <= 600 ? inText(value) : wrong;
    case 'trace':
      return Array.isArray(value) ? value.flatMap((line) => inText(String(line))) : wrong;
    case 'error':
      return inError(value);
    case 'counts':
      return Object.values(value as object).every((count) => typeof count === 'number') ? [] : wrong;
    case 'metrics':
      // Read to the letter by the tests of metrics; names of metrics are members of the line and checked here.
      return [];
  }
}

/** The leaks in a line of a log; empty for a clean one. */
export function leaksIn(line: string): string[] {
  let members: unknown;
  try {
    members = JSON.parse(line);
  } catch {
    return ['it is not JSON'];
  }
  if (typeof members !== 'object' || members === null || Array.isArray(members)) return ['it is no object'];
  return Object.entries(members).flatMap(([name, value]) => {
    if (name in METRIC_CATALOGUE) return [value].flat().every(Number.isFinite) ? [] : [`${name} is no number`];
    const rule = ALLOWED[name];
    return rule === undefined ? [`it has the member ${name}, which nobody allowed`] : inMember(name, value, rule);
  });
}

/** Every leak in the logs of a run, once for each function and kind. */
export function leaksInLogs(logDir: string): string[] {
  const found = new Set<string>();
  for (const file of readdirSync(logDir)) {
    for (const line of readFileSync(join(logDir, file), 'utf8').split('\n')) {
      if (line === '') continue;
      for (const leak of leaksIn(line)) found.add(`${file}: ${leak}`);
    }
  }
  return [...found];
}

/** Fails when a function of a run has logged what must not be logged; to be called before its logs are deleted. */
export function expectCleanLogs(dataDir: string): void {
  const leaks = leaksInLogs(join(dataDir, 'logs'));
  if (leaks.length > 0) throw new Error(`Functions have logged what they must not (${dataDir}):\n${leaks.join('\n')}`);
}
