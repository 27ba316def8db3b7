import { canonicalAttribute, canonicalText, type PhoneCountry } from './canonical-value';
import type { EntityKind } from './entity-history';
import type { Pseudonyms } from './pseudonyms';

/** An entity that takes part in an attempt. Its id is a pseudonym: it holds no email or card. */
export interface EntityRef {
  readonly kind: EntityKind;
  /** Its name for people: `user`, `device`, `ip`, or the attribute's key. */
  readonly name: string;
  /** `user#…` or `attribute.email#…`: its id within the account. */
  readonly key: string;
}

/** Refers to the entities of one account by their values, however these are written. */
export interface EntityNames {
  user(userId: string): EntityRef;
  device(fingerprint: string): EntityRef | undefined;
  attribute(key: string, value: string, country?: PhoneCountry): EntityRef | undefined;
  known(kind: EntityKind, pseudonym: string): EntityRef;
  /** An entity whose value is canonical already, such as an address or a network. @default named like its kind */
  exact(kind: EntityKind, value: string, name?: string): EntityRef;
}

/** The names of an account's entities. */
export function entityNames(accountId: string, pseudonyms: Pseudonyms): EntityNames {
  const ref = (kind: EntityKind, name: string, value: string): EntityRef => {
    const path = kind === 'attribute' ? `attribute.${name}` : kind;
    return { kind, name, key: `${path}#${pseudonyms.of(accountId, path, value)}` };
  };
  return {
    user: (userId) => ref('user', 'user', canonicalText(userId)),
    device: (fingerprint) => {
      const value = canonicalText(fingerprint);
      return value === '' ? undefined : ref('device', 'device', value);
    },
    attribute: (key, value, country) => {
      const canonical = canonicalAttribute(key, value, country);
      return canonical === '' ? undefined : ref('attribute', key, canonical);
    },
    known: (kind, pseudonym) => ({ kind, name: kind, key: `${kind}#${pseudonyms.renewed(pseudonym)}` }),
    exact: (kind, value, name = kind) => ref(kind, name, value),
  };
}

/** The kind of an entity, from its key. */
export const kindOfKey = (key: string): EntityKind =>
  key.startsWith('attribute.') ? 'attribute' : (key.slice(0, key.indexOf('#')) as EntityKind);

/** The pseudonym of an entity, without its kind: attribute keys may contain `#`, pseudonyms do not. */
export const pseudonymOf = ({ key }: Pick<EntityRef, 'key'>): string => key.slice(key.lastIndexOf('#') + 1);

/** The pseudonym of the user among the entities of a screening. */
export const userOf = ({ entities }: { readonly entities: readonly string[] }): string | undefined => {
  const key = entities.find((each) => kindOfKey(each) === 'user');
  return key === undefined ? undefined : pseudonymOf({ key });
};
