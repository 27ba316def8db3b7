import { randomInt } from 'node:crypto';

/** `GenerateSecretString` of AWS::SecretsManager::Secret. */
export interface GenerateSecretString {
  readonly SecretStringTemplate?: string;
  readonly GenerateStringKey?: string;
  readonly PasswordLength?: number;
  readonly ExcludeCharacters?: string;
  readonly ExcludeLowercase?: boolean;
  readonly ExcludeUppercase?: boolean;
  readonly ExcludeNumbers?: boolean;
  readonly ExcludePunctuation?: boolean;
  readonly IncludeSpace?: boolean;
  readonly RequireEachIncludedType?: boolean;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const DEFAULT_LENGTH = 32;

const pick = (characters: string): string => characters[randomInt(characters.length)] ?? '';

function password(options: GenerateSecretString): string {
  const allowed = (characters: string): string =>
    [...characters].filter((character) => !options.ExcludeCharacters?.includes(character)).join('');
  const types = [
    options.ExcludeLowercase ? '' : LOWER,
    options.ExcludeUppercase ? '' : LOWER.toUpperCase(),
    options.ExcludeNumbers ? '' : '0123456789',
    options.ExcludePunctuation ? '' : PUNCTUATION,
    options.IncludeSpace ? ' ' : '',
  ]
    .map(allowed)
    .filter((characters) => characters.length > 0);
  const required = options.RequireEachIncludedType === false ? [] : types.map(pick);
  const all = types.join('');
  const characters = [...required];
  while (characters.length < (options.PasswordLength ?? DEFAULT_LENGTH)) {
    characters.splice(randomInt(characters.length + 1), 0, pick(all));
  }
  return characters.join('');
}

/** A fresh secret as Secrets Manager would generate it, inside the given template if there is one. */
export function generateSecret(options: GenerateSecretString): string {
  const generated = password(options);
  if (options.SecretStringTemplate === undefined || options.GenerateStringKey === undefined) return generated;
  const template = JSON.parse(options.SecretStringTemplate) as Record<string, unknown>;
  return JSON.stringify({ ...template, [options.GenerateStringKey]: generated });
}
