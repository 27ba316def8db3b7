import { call, failureOf } from '../api/client';
import type { Declarations } from '../api/types';
import type { KnownName } from '../text/rule-words';
import { loader } from './loadable';
import { announce } from './page';
import { DECLARATION_KINDS, type DeclarationKind } from './route';

const declarations = loader<Declarations>();

export const declarationsView = declarations.state;

const pathOf = (kind: DeclarationKind, name?: string): string =>
  `/v1/${kind.replace('_', '-')}${name === undefined ? '' : `/${encodeURIComponent(name)}`}`;

export const openDeclarations = (): Promise<void> =>
  declarations.load(async (signal) => {
    const read = async (kind: DeclarationKind) => call<Partial<Declarations>>('GET', pathOf(kind), { signal });
    return Object.assign({}, ...(await Promise.all(DECLARATION_KINDS.map(read)))) as Declarations;
  }, true);

/** Makes a change, then reloads the declarations; returns the reason if the service refused. */
async function change(done: string, work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return failureOf(error).message;
  }
  announce(done);
  await openDeclarations();
  return undefined;
}

export const saveDeclaration = (kind: DeclarationKind, name: string, body: object): Promise<string | undefined> =>
  change(`${name} saved`, () => call('PUT', pathOf(kind, name), { body }));

export const removeDeclaration = (kind: DeclarationKind, name: string): Promise<string | undefined> =>
  change(`${name} deleted`, () => call('DELETE', pathOf(kind, name)));

export const closeDeclarations = (): void => declarations.reset();

export function declaredNames(): KnownName[] {
  const { attributes = [], counters = [] } = declarations.state.value.data ?? {};
  return [
    ...attributes.map(({ key, type, note }) => ({
      name: /^[A-Za-z_]\w*$/.test(key) ? `attr.${key}` : `attr[${JSON.stringify(key)}]`,
      type,
      description: `${type}${note ? `: ${note}` : ''}`,
    })),
    ...counters.map((counter) => ({
      name: `counters.${counter.name}`,
      type: 'number',
      description: counter.note ?? `${counter.count} by ${counter.by.join(', ')} in ${counter.window}`,
    })),
  ];
}
