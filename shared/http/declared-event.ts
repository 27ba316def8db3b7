import * as z from 'zod/mini';
import type { Caller } from '../domain/accounts/account';
import {
  type Declarations,
  type EventTypeDeclaration,
  eventTypeNames,
  eventTypeOf,
  isBuiltInType,
} from '../domain/declarations/declaration';
import { attributeWarnings } from '../domain/declarations/read-attribute';
import type { Fault } from '../domain/errors';
import { money } from '../schemas/screening';
import { schemaFault } from './faults';

const MONEY = z.object(money());

interface KnownDeclarations {
  readonly declarations: Declarations;
}

interface DeclaredPort {
  current(accountId: string): KnownDeclarations | Promise<KnownDeclarations>;
  reread(accountId: string): Promise<KnownDeclarations>;
}

type Body = Readonly<Record<string, unknown>>;

export function declaredFaults(body: Body, type: EventTypeDeclaration): Fault[] {
  const { amount, currency, custom_attributes } = body;
  const sent = (custom_attributes ?? {}) as Body;
  // An empty text is nothing, as for rules and counters.
  const isSent = (key: string): boolean => Object.hasOwn(sent, key) && sent[key] !== '';
  const missing = type.required
    .filter((key) => !isSent(key))
    .map((key) => ({ field: `custom_attributes.${key}`, message: `is required for ${type.name}` }));
  const isWanted =
    type.amount === 'required' || (type.amount === 'optional' && (amount !== undefined || currency !== undefined));
  if (!isWanted) return missing;
  const { error } = MONEY.safeParse({ amount, currency });
  return [...(error?.issues ?? []).map((issue) => schemaFault(issue, body, 'body')), ...missing];
}

export const undeclaredFault = (declarations: Declarations): Fault => ({
  field: 'event_type',
  message: `must be one of ${eventTypeNames(declarations).join(', ')}; PUT /v1/event-types/{name} declares others`,
});

/** Faults of an event whose type is not built in. An unknown type may have just been declared. */
export async function eventFaults(
  { rules }: { readonly rules: DeclaredPort },
  body: unknown,
  { account_id }: Caller,
): Promise<Fault[]> {
  const { event_type: name } = (body ?? {}) as Body;
  if (typeof name !== 'string' || (isBuiltInType(name) && name !== 'transaction')) return [];
  const known = eventTypeOf((await rules.current(account_id)).declarations, name);
  if (known) return declaredFaults(body as Body, known);
  const { declarations } = await rules.reread(account_id);
  const type = eventTypeOf(declarations, name);
  return type ? declaredFaults(body as Body, type) : [undeclaredFault(declarations)];
}

/** Parts of a request that differ from the account's declarations, or have no effect. */
export function declaredWarnings(
  declarations: Declarations | undefined,
  body: {
    readonly event_type?: string;
    readonly custom_attributes?: Readonly<Record<string, string>> | undefined;
    readonly amount?: unknown;
    readonly currency?: unknown;
  },
): string[] {
  const { event_type: name, custom_attributes } = body;
  const ignored: string[] = [];
  if (name !== undefined && ((declarations && eventTypeOf(declarations, name)?.amount) ?? 'none') === 'none') {
    for (const member of ['amount', 'currency'] as const) {
      if (body[member] !== undefined) ignored.push(`Unknown field ${member} was ignored: ${name} takes no amount.`);
    }
  }
  return declarations === undefined ? ignored : [...ignored, ...attributeWarnings(declarations, custom_attributes)];
}
