import type { Declarations } from '../api/types';
import type { DeclarationKind } from '../state/route';

export type Declared = Declarations[DeclarationKind][number];
/** Form input, by member. */
export type Typed = Readonly<Record<string, string | boolean>>;

export interface Field {
  readonly member: string;
  readonly label: string;
  readonly as: 'choice' | 'words' | 'text' | 'number' | 'check';
  readonly options?: Readonly<Record<string, string>>;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** @default always */
  readonly isShown?: (typed: Typed) => boolean;
}

export interface KindWords {
  readonly title: string;
  readonly noun: string;
  readonly about: string;
  /** Allowed names, as a pattern and in words. */
  readonly pattern: string;
  readonly rule: string;
  readonly fields: readonly Field[];
  readonly facts: (one: never) => string;
}

const NOTE: Field = { member: 'note', label: 'Note', as: 'text' };
const NAME = '[a-z][a-z0-9_]{0,62}';
const NAME_RULE = 'Lower-case letters, digits and _, beginning with a letter';
const threshold = (member: string, label: string): Field => ({
  ...{ member, label, as: 'number', hint: '0 to 100; empty for the account’s own' },
});

const TYPES = {
  ...{ text: 'Text', number: 'Number', boolean: 'Yes or no', email: 'Email address', phone: 'Phone number' },
  ...{ ip_address: 'IP address', country: 'Country' },
} as const;
const AMOUNTS = { none: 'None', optional: 'Optional', required: 'Required' } as const;
const COUNTS = { attempts: 'Attempts', distinct: 'Different values', sum: 'Sum' } as const;
const WINDOWS = { '10m': '10 minutes', '1h': '1 hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;

export const KIND_WORDS: Readonly<Record<DeclarationKind, KindWords>> = {
  attributes: {
    title: 'Attributes',
    noun: 'attribute',
    about: 'How a custom attribute is read. Rules can then compare numbers, and counters count by it.',
    pattern: '.{1,64}',
    rule: '1 to 64 characters, as in custom_attributes',
    fields: [
      { member: 'type', label: 'Type', as: 'choice', options: TYPES },
      { member: 'entity', label: 'Each value has a history, a reputation and links', as: 'check' },
      NOTE,
    ],
    facts: ({ type, entity }: Declarations['attributes'][number]) => `${TYPES[type]}${entity ? ' · entity' : ''}`,
  },
  event_types: {
    title: 'Event types',
    noun: 'event type',
    about: 'Events of your own, screened like built-in ones. They never count as a signup, login or purchase.',
    pattern: NAME,
    rule: NAME_RULE,
    fields: [
      { member: 'amount', label: 'Amount', as: 'choice', options: AMOUNTS },
      { member: 'required', label: 'Required attributes', as: 'words', hint: 'Keys, separated by commas' },
      threshold('review_threshold', 'Review from score'),
      threshold('block_threshold', 'Block from score'),
      NOTE,
    ],
    facts: ({ amount, required }: Declarations['event_types'][number]) =>
      [
        `Amount: ${AMOUNTS[amount].toLowerCase()}`,
        ...(required.length > 0 ? [`needs ${required.join(', ')}`] : []),
      ].join(' · '),
  },
  counters: {
    title: 'Counters',
    noun: 'counter',
    about: 'Counts in a window, by one to three values. Rules read it as counters.name, this attempt included.',
    pattern: NAME,
    rule: NAME_RULE,
    fields: [
      {
        ...{ member: 'of', label: 'Of', as: 'words', isRequired: true },
        hint: 'transaction and event types, separated by commas',
      },
      { member: 'count', label: 'Count', as: 'choice', options: COUNTS },
      {
        ...{ member: 'value', label: 'Value', as: 'text', isRequired: true },
        hint: 'user_id, device_fingerprint, ip_address or attr.key; of a sum: amount or a number attribute',
        isShown: ({ count }) => count !== 'attempts',
      },
      {
        ...{ member: 'by', label: 'By', as: 'words', isRequired: true },
        hint: 'Up to three of user_id, device_fingerprint, ip_address, ip_network and attr.key',
      },
      { member: 'window', label: 'Window', as: 'choice', options: WINDOWS },
      { member: 'where', label: 'Only where', as: 'text', hint: 'A condition on the request alone: amount < 5' },
      NOTE,
    ],
    facts: ({ count, value, by, window }: Declarations['counters'][number]) =>
      `${COUNTS[count]}${value === null ? '' : ` of ${value}`} by ${by.join(', ')} in ${WINDOWS[window]}`,
  },
};

export const nameOf = (one: Declared): string => ('key' in one ? one.key : one.name);

/** The form's values for a declaration, or its initial values. */
export const typedOf = ({ fields }: KindWords, one: Declared | undefined): Typed =>
  Object.fromEntries(
    fields.map(({ member, as, options = {} }) => {
      const value = (one as Readonly<Record<string, unknown>> | undefined)?.[member];
      if (as === 'check') return [member, value === true];
      if (Array.isArray(value)) return [member, value.join(', ')];
      return [member, String(value ?? (as === 'choice' ? Object.keys(options)[0] : ''))];
    }),
  );

export const bodyOf = ({ fields }: KindWords, typed: Typed): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ member, as, isShown }) => {
      const value = typed[member];
      if (typeof value === 'boolean') return [member, value];
      const text = isShown?.(typed) === false ? '' : (value ?? '').trim();
      if (as === 'words')
        return [
          member,
          text
            .split(',')
            .map((word) => word.trim())
            .filter(Boolean),
        ];
      return [member, text === '' ? null : as === 'number' ? Number(text) : text];
    }),
  );
