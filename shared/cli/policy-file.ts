import { readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import type * as z from 'zod/mini';
import { type AccountSettings, type Caller, DEFAULT_SETTINGS } from '../domain/accounts/account';
import { NO_DECLARATIONS } from '../domain/declarations/declaration';
import { DomainError, invalidRequest } from '../domain/errors';
import { isListName } from '../domain/lists/list-definition';
import type { RuleDefinition } from '../domain/rules/rule';
import type { RuleBook } from '../domain/rules/rule-book';
import { type KnownList, ruleFaults } from '../domain/rules/rule-faults';
import { schemaFault } from '../http/faults';
import { putAttributeRequest, putCounterRequest, putEventTypeRequest } from '../schemas/declaration';
import { putListRequest } from '../schemas/list';
import { putRuleRequest } from '../schemas/rule';
import { putAttribute, putCounter, putEventType } from '../usecases/declarations/manage-declarations';
import { putRule } from '../usecases/rules/manage-rules';
import { UsageError } from './command-line';

export type Body = Readonly<Record<string, unknown>>;
export type Bodies = ReadonlyMap<string, Body>;
export type RuleFile = ReadonlyMap<string, RuleDefinition>;

/** An account that exists while a file is read: it refuses everything that the service would refuse. */
interface Trial {
  book: RuleBook;
  tracked: readonly string[];
  /** Undefined if it is unknown which ones exist. */
  lists: KnownList[] | undefined;
}

export interface Section {
  readonly path: string;
  readonly noun: string;
  readonly request: z.ZodMiniObject;
  /** Declares one on the trial account; the answer has every member of the request. */
  readonly put: (trial: Trial, name: string, request: never) => Promise<object>;
}

const CALLER: Caller = { account_id: 'file', key_id: 'file', settings: DEFAULT_SETTINGS };
const clock = { now: () => 0 };

function portsOf(trial: Trial) {
  const settings = (): AccountSettings => ({ ...DEFAULT_SETTINGS, tracked_attributes: [...trial.tracked] });
  const { lists } = trial;
  return {
    clock,
    rules: {
      book: async () => trial.book,
      save: async (
        _: string,
        after: RuleBook,
        { tracked }: { readonly tracked?: { after: readonly string[] } | undefined },
      ) => {
        trial.book = after;
        trial.tracked = tracked?.after ?? trial.tracked;
        return true;
      },
      versions: async () => [],
    },
    accounts: { account: async () => ({ settings: settings(), created_at: new Date(0).toISOString() }) },
    ...(lists && { lists: { all: async () => lists } }),
  };
}

function putList({ lists }: Trial, name: string, { type, effect, note }: z.infer<typeof putListRequest>) {
  if (!isListName(name)) throw invalidRequest([{ field: 'name', message: 'is not a valid name' }]);
  lists?.push({ name, type });
  return { type, effect, note: note ?? null };
}

/** In the order in which they are applied: each may name what is declared before it. Removals go the other way. */
export const SECTIONS = {
  attributes: {
    path: '/v1/attributes',
    noun: 'an attribute',
    request: putAttributeRequest,
    put: async (trial, key, request) => (await putAttribute(portsOf(trial), CALLER, key, request)).declared,
  },
  event_types: {
    path: '/v1/event-types',
    noun: 'an event type',
    request: putEventTypeRequest,
    put: async (trial, name, request) => (await putEventType(portsOf(trial), CALLER, name, request)).declared,
  },
  counters: {
    path: '/v1/counters',
    noun: 'a counter',
    request: putCounterRequest,
    put: async (trial, name, request) => (await putCounter(portsOf(trial), CALLER, name, request)).declared,
  },
  lists: {
    path: '/v1/lists',
    noun: 'a list',
    request: putListRequest,
    put: async (trial, name, request) => putList(trial, name, request),
  },
  rules: {
    path: '/v1/rules',
    noun: 'a rule',
    request: putRuleRequest,
    put: async (trial, name, request) => {
      const faults = ruleFaults(request);
      if (faults.length > 0) throw invalidRequest(faults);
      return (await putRule(portsOf(trial), CALLER, name, { request })).rule;
    },
  },
} as const satisfies Readonly<Record<string, Section>>;

export type SectionName = keyof typeof SECTIONS;
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** The content of a file: sections that it lacks are left alone. */
export interface Policy {
  readonly sections: Readonly<Partial<Record<SectionName, Bodies>>>;
  readonly rules: RuleFile;
  readonly book: RuleBook;
  readonly tracked: readonly string[];
}

/** Existing declarations of the account, by section: used for sections that a file lacks. */
export type Existing = Readonly<Partial<Record<SectionName, Bodies>>>;

export async function readPolicyFile(
  text: string,
  existing: Existing = {},
): Promise<{ readonly policy: Policy } | { readonly faults: readonly string[] }> {
  const document = parseDocument(text);
  if (document.errors.length > 0) return { faults: document.errors.map(({ message }) => message.split('\n')[0] ?? '') };
  const content: unknown = document.toJS();
  if (!isMap(content) || Object.keys(content).length === 0) {
    return { faults: [`The file must have at least one of the maps ${SECTION_NAMES.join(', ')}.`] };
  }
  const faults = Object.keys(content)
    .filter((name) => !Object.hasOwn(SECTIONS, name))
    .map((name) => `${name}: is not a section; there are ${SECTION_NAMES.join(', ')}`);
  const hasLists = content.lists !== undefined || existing.lists !== undefined;
  const trial: Trial = {
    book: { revision: 0, rules: [], declarations: NO_DECLARATIONS },
    tracked: DEFAULT_SETTINGS.tracked_attributes,
    lists: hasLists ? [] : undefined,
  };
  const sections: Partial<Record<SectionName, Bodies>> = {};
  for (const section of SECTION_NAMES) {
    const listed = content[section];
    if (listed === undefined) {
      if (section !== 'rules') await declareAll(trial, section, Object.fromEntries(existing[section] ?? []), []);
    } else if (isMap(listed)) sections[section] = await declareAll(trial, section, listed, faults);
    else faults.push(`${section}: must be a map \`${section}\`, from names to what they are`);
  }
  if (faults.length > 0) return { faults };
  const rules = (sections.rules ?? new Map()) as unknown as RuleFile;
  return { policy: { sections, rules, book: trial.book, tracked: trial.tracked } };
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function declareAll(trial: Trial, section: SectionName, listed: Body, faults: string[]): Promise<Bodies> {
  const { request, put, noun }: Section = SECTIONS[section];
  const bodies = new Map<string, Body>();
  for (const [name, body] of Object.entries(listed).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const tell = (field: string, message: string) => faults.push(`${section}.${name}.${field}: ${message}`);
    const parsed = request.safeParse(body ?? {});
    for (const issue of parsed.error?.issues ?? []) {
      const { field, message } = schemaFault(issue, body ?? {}, 'body');
      tell(field, message);
    }
    for (const member of isMap(body) ? Object.keys(body) : []) {
      // A request would ignore it with a warning; in a file it is a typo.
      if (!Object.hasOwn(request.shape, member)) tell(member, `is not a member of ${noun}`);
    }
    if (!parsed.success) continue;
    try {
      const declared = await put(trial, name, parsed.data as never);
      bodies.set(name, membersOf(section, declared as Body));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { details, message: reason } = error;
      if (details.length === 0) tell('name', reason);
      for (const { field, message } of details) tell(field, message);
    }
  }
  return bodies;
}

/** The members of a declared thing that a request may set, out of all that the service returns. */
export function membersOf(section: SectionName, declared: Body): Body {
  return Object.fromEntries(Object.keys(SECTIONS[section].request.shape).map((member) => [member, declared[member]]));
}

/** The policy of a file that is to be tested. */
export async function testedPolicy(file: string): Promise<Policy> {
  const read = await readPolicyFile(readFileSync(file, 'utf8'));
  if ('policy' in read) return read.policy;
  throw new UsageError(`${file} cannot be tested:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`);
}
