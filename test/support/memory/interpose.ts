import { unavailable } from '../../../shared/domain/errors';

/** Stands around a call: it may hold it up, refuse it, or lose its answer. */
export type Around = <Value>(call: string, apply: () => Promise<Value>) => Promise<Value>;

type Method = (...args: unknown[]) => Promise<unknown>;

/** A port whose every call goes through `around`; what is not a method stays as it is. */
export function interpose<Port extends object>(port: Port, around: Around, prefix = ''): Port {
  const members = Object.entries(port).map(([name, member]) => {
    if (typeof member !== 'function') return [name, member];
    const method = member as Method;
    return [name, (...args: unknown[]) => around(prefix + name, () => method(...args))];
  });
  return Object.fromEntries(members) as Port;
}

/** How a call goes wrong: before it was carried out, or after, when only its answer is lost. */
export type Moment = 'before' | 'after';

/** Fails the calls that `faultOf` picks, by their name and how many calls there were before. */
export function failing(faultOf: (call: string, nth: number) => Moment | undefined): Around {
  let calls = 0;
  return async (call, apply) => {
    const fault = faultOf(call, calls++);
    if (fault === 'before') throw unavailable(new Error(`${call} was not carried out`));
    const value = await apply();
    if (fault === 'after') throw unavailable(new Error(`the answer of ${call} was lost`));
    return value;
  };
}

/** Dependencies of which the n-th call of any of these ports fails, and the calls that were made. */
export function failingAt<Deps extends object>(
  deps: Deps,
  ports: readonly (keyof Deps)[],
  at: number,
  moment: Moment,
): { readonly deps: Deps; readonly calls: readonly string[] } {
  const calls: string[] = [];
  const fail = failing((_call, nth) => (nth === at ? moment : undefined));
  const around: Around = (call, apply) => {
    calls.push(call);
    return fail(call, apply);
  };
  const changed = ports.map((port) => {
    const value = deps[port] as unknown;
    const name = String(port);
    if (typeof value === 'function')
      return [port, (interpose({ [name]: value }, around) as Record<string, unknown>)[name]];
    return [port, interpose(value as object, around, `${name}.`)];
  });
  return { deps: { ...deps, ...Object.fromEntries(changed) }, calls };
}
