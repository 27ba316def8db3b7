import type { Screened } from '../decide-screening';
import type { AllPorts } from '../sources/source';
import { counterEffect } from './counters';
import { decisionEffect } from './decision';
import { type Effect, NO_WRITES } from './effect';
import { familiarityEffect } from './familiarity';
import { networkEffect } from './networks';
import { resultEffect } from './result';
import { sampleEffect } from './samples';
import { trimEffect } from './trims';

/** Everything that a screening writes in its second trip, the result first. */
export const EFFECTS = [
  resultEffect,
  familiarityEffect,
  decisionEffect,
  networkEffect,
  sampleEffect,
  trimEffect,
  counterEffect,
] as const;

type AnyEffect = (typeof EFFECTS)[number];

/** Dependencies of all effects. */
export type EffectPorts = AllPorts<AnyEffect>;

/** How the second trip ended. */
export interface Written {
  /** Why something may not have been written that must not be lost; undefined if everything was. */
  readonly error: unknown;
  readonly done: readonly AnyEffect[];
}

const TRIP_LIMIT_MS = 800;

/** The second trip: every effect at once. */
export async function writeEffects(
  ports: EffectPorts,
  screened: Screened,
  effects: readonly AnyEffect[] = EFFECTS,
): Promise<Written> {
  const ending = effects.map((effect) => start(effect, ports, screened));
  const done: AnyEffect[] = [];
  let error: unknown;
  for (let at = 0; at < effects.length; at++) {
    const effect = effects[at] as AnyEffect;
    const failure = ending[at] && (await ending[at]);
    if (failure === undefined) done.push(effect);
    else if (!effect.mayBeLost) error ??= failure.error;
  }
  return { error, done };
}

interface Failure {
  readonly error: unknown;
}

const noFailure = (): undefined => undefined;

function start(effect: AnyEffect, ports: EffectPorts, screened: Screened): Promise<Failure | undefined> | undefined {
  let writes = NO_WRITES;
  try {
    writes = effect.write(ports, screened, TRIP_LIMIT_MS);
  } catch (error) {
    return Promise.resolve({ error });
  }
  return writes.length === 0 ? undefined : failureOf(writes);
}

function failureOf(writes: readonly Promise<unknown>[]): Promise<Failure | undefined> {
  const [only] = writes;
  if (only !== undefined && writes.length === 1) return only.then(noFailure, (error) => ({ error }));
  return Promise.allSettled(writes).then((ends) => {
    const failed = ends.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    return failed && { error: failed.reason };
  });
}

/** Takes back what effects wrote for a result that was not stored. Best effort. */
export async function undoEffects(ports: EffectPorts, screened: Screened, { done }: Written): Promise<void> {
  await Promise.allSettled(done.map((effect) => (effect as Effect<EffectPorts>).undo?.(ports, screened)));
}
