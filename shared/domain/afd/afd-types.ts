import type { AttributeType } from '../declarations/declaration';
import { DomainError, invalidRequest } from '../errors';

/** The kinds of things that Amazon's client declares, by the names in their ARNs. */
export const AFD_TYPE_KINDS = ['variable', 'event-type', 'entity-type', 'label'] as const;
export type AfdTypeKind = (typeof AFD_TYPE_KINDS)[number];

/** Something declared by Amazon's client: its members are Amazon's, as given. */
export interface AfdNamed {
  readonly name: string;
  readonly description?: string | undefined;
  readonly createdTime: string;
  readonly lastUpdatedTime: string;
}

export interface AfdVariable extends AfdNamed {
  readonly dataType: string;
  readonly dataSource: string;
  readonly defaultValue: string;
  readonly variableType?: string | undefined;
}

export interface AfdDeclaredType extends AfdNamed {
  readonly eventVariables: readonly string[];
  readonly entityTypes: readonly string[];
  readonly labels?: readonly string[] | undefined;
  readonly eventIngestion: string;
  readonly eventOrchestration?: { readonly eventBridgeEnabled: boolean } | undefined;
}

interface AfdTypeOf {
  readonly variable: AfdVariable;
  readonly 'event-type': AfdDeclaredType;
  readonly 'entity-type': AfdNamed;
  readonly label: AfdNamed;
}

/** Everything that an account has declared through Amazon's client. */
export type AfdTypes = { readonly [Kind in AfdTypeKind]: ReadonlyArray<AfdTypeOf[Kind]> };

export const NO_AFD_TYPES: AfdTypes = { variable: [], 'event-type': [], 'entity-type': [], label: [] };

/** Our name for one of Amazon's: lower case, and without the hyphens that our event types cannot have. */
export const ownTypeName = (name: string): string => name.toLowerCase().replaceAll('-', '_');
export const ownAttributeKey = (name: string): string => name.toLowerCase();
const ownName = (kind: AfdTypeKind, name: string): string =>
  kind === 'event-type' ? ownTypeName(name) : ownAttributeKey(name);

const wordOf = (kind: AfdTypeKind): string => kind.replace('-', ' ');

export const unknownName = (kind: AfdTypeKind, name: string): DomainError =>
  new DomainError('not_found', `No such ${wordOf(kind)}: ${name}.`);

/**
 * The type stored under a name, ignoring case.
 * @throws DomainError if another name leads to the same one of ours
 */
export function keptUnder<Kind extends AfdTypeKind>(
  types: AfdTypes,
  kind: Kind,
  name: string,
): AfdTypeOf[Kind] | undefined {
  const all = types[kind] as ReadonlyArray<AfdTypeOf[Kind]>;
  const found = all.find((each) => ownName(kind, each.name) === ownName(kind, name));
  if (found === undefined || found.name.toLowerCase() === name.toLowerCase()) return found;
  throw invalidRequest([{ field: 'name', message: `means the same here as the ${wordOf(kind)} ${found.name}` }]);
}

/** The types with one replaced or removed. */
export function withType<Kind extends AfdTypeKind>(
  types: AfdTypes,
  kind: Kind,
  name: string,
  one?: AfdTypeOf[Kind],
): AfdTypes {
  const others = (types[kind] as readonly AfdNamed[]).filter(
    (each) => ownName(kind, each.name) !== ownName(kind, name),
  );
  return { ...types, [kind]: one === undefined ? others : [...others, one] };
}

const BY_DATA_TYPE: Readonly<Record<string, AttributeType>> = {
  FLOAT: 'number',
  INTEGER: 'number',
  BOOLEAN: 'boolean',
};

const BY_VARIABLE_TYPE: Readonly<Record<string, AttributeType>> = {
  ...{ EMAIL_ADDRESS: 'email', IP_ADDRESS: 'ip_address', NUMERIC: 'number', PRICE: 'number' },
  ...{ PHONE_NUMBER: 'phone', BILLING_PHONE: 'phone', SHIPPING_PHONE: 'phone' },
  ...{ BILLING_COUNTRY: 'country', SHIPPING_COUNTRY: 'country' },
};

/** How the values of a variable are read here. */
export const attributeTypeOfVariable = ({
  dataType,
  variableType,
}: Pick<AfdVariable, 'dataType' | 'variableType'>): AttributeType =>
  BY_DATA_TYPE[dataType] ??
  (dataType === 'STRING' && variableType !== undefined ? BY_VARIABLE_TYPE[variableType] : undefined) ??
  'text';

/** Where a page of a list begins and how much it holds. */
export interface AfdPaging {
  readonly name?: string | undefined;
  readonly nextToken?: string | undefined;
  readonly maxResults?: number | undefined;
}

/**
 * A page in the order of names; all of them unless `maxResults` says fewer. The token is the last name of the page before.
 * @throws DomainError if nothing has the name that was asked for
 */
export function pageOf<Each extends { readonly name: string }>(
  kind: AfdTypeKind,
  all: readonly Each[],
  { name, nextToken, maxResults = all.length }: AfdPaging,
): { readonly page: readonly Each[]; readonly nextToken?: string } {
  if (name !== undefined) {
    const page = all.filter((each) => each.name.toLowerCase() === name.toLowerCase());
    if (page.length === 0) throw unknownName(kind, name);
    return { page };
  }
  const after = nextToken === undefined ? '' : Buffer.from(nextToken, 'base64url').toString();
  const rest = all.filter((each) => each.name > after).sort((a, b) => (a.name < b.name ? -1 : 1));
  const page = rest.slice(0, maxResults);
  const last = page.at(-1);
  if (last === undefined || page.length === rest.length) return { page };
  return { page, nextToken: Buffer.from(last.name).toString('base64url') };
}
