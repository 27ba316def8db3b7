import { type FeatureName, featureSlot } from './features';
import type { ScreeningFacts } from './screening-facts';
import type { Condition, FeatureValues, Grade, SignalDefinition, SignalFamily, Strength } from './signal-definition';

type Vector = Float32Array;
type Test = (vector: Vector) => boolean;
type Measure = (vector: Vector) => number;

/** A signal that holds for an attempt. */
export interface FiredSignal {
  readonly name: string;
  readonly family: SignalFamily;
  /** Negative if it speaks in favour of the attempt. */
  readonly log_odds: number;
  readonly detail: string;
  readonly forces_review: boolean;
  /** The least score that it allows. @default any */
  readonly lifts_to?: number | undefined;
}

export interface SignalReadings {
  readonly fired: readonly FiredSignal[];
  /** Signals that threw: a bug to alarm on, not a reason to refuse a screening. */
  readonly failed: readonly string[];
}

/** Reads all signals from a vector. */
export type SignalReader = (vector: Vector, facts: ScreeningFacts) => SignalReadings;

/** A condition as a closure over array slots; comparisons with NaN are false anyway. */
export function compileCondition(condition: Condition): Test {
  if (condition.type === 'between') return compileBetween(condition);
  if (condition.type === 'not') {
    const inner = compileCondition(condition.condition);
    return (vector) => !inner(vector);
  }
  const tests = condition.conditions.map(compileCondition);
  const stopAt = condition.type === 'any';
  const [first, second] = tests;
  // Most are pairs: without the loop they take half the time.
  if (tests.length === 2 && first !== undefined && second !== undefined) {
    return stopAt ? (vector) => first(vector) || second(vector) : (vector) => first(vector) && second(vector);
  }
  return (vector) => {
    for (const test of tests) if (test(vector) === stopAt) return stopAt;
    return !stopAt;
  };
}

function compileBetween({ feature, from, to }: Extract<Condition, { type: 'between' }>): Test {
  const slot = featureSlot(feature);
  if (to === Infinity) return (vector) => (vector[slot] as number) >= from;
  if (from === -Infinity) return (vector) => (vector[slot] as number) <= to;
  return (vector) => (vector[slot] as number) >= from && (vector[slot] as number) <= to;
}

/** A strength as a closure; a grade over a missing feature has its starting strength. */
export function compileStrength(strength: Strength): Measure {
  if (typeof strength === 'number') return () => strength;
  if ('feature' in strength) return compileGrade(strength);
  const measures = strength.map(compileStrength);
  return (vector) => {
    let sum = 0;
    for (const measure of measures) sum += measure(vector);
    return sum;
  };
}

function compileGrade({ feature, scale, from, to }: Grade): Measure {
  const slot = featureSlot(feature);
  const on = scale === 'log' ? Math.log : (value: number) => value;
  const [start, low] = [on(from[0]), from[1]];
  const [span, rise] = [on(to[0]) - start, to[1] - low];
  return (vector) => {
    const share = (on(vector[slot] as number) - start) / span;
    return share > 0 ? low + Math.min(1, share) * rise : low;
  };
}

/** Compiles once; the reader then walks every signal that applies to the attempted action. */
export function compileSignals(definitions: readonly SignalDefinition[]): SignalReader {
  const compiled = definitions.map(compileSignal);
  const forTransactions = compiled.filter(({ definition }) => definition.applies_to !== 'events');
  const forEvents = compiled.filter(({ definition }) => definition.applies_to !== 'transactions');

  return (vector, facts) => {
    const fired: FiredSignal[] = [];
    const failed: string[] = [];
    for (const signal of facts.attempt.action === 'transaction' ? forTransactions : forEvents) {
      try {
        const reading = signal.read(vector);
        if (reading === undefined) continue;
        const { detail, failure } = sentence(signal.definition, reading.index, vector, facts);
        if (failure) failed.push(signal.definition.name);
        const { name, family } = signal.definition;
        const { log_odds } = reading;
        fired.push({
          name,
          family,
          log_odds,
          detail,
          forces_review: signal.forces(vector),
          lifts_to: signal.floor(vector),
        });
      } catch {
        failed.push(signal.definition.name);
      }
    }
    return { fired, failed };
  };
}

/** Reads all signals from a stored vector, for training: same results, but no sentences, which need the facts. */
export function compileStoredSignals(definitions: readonly SignalDefinition[]): (vector: Vector) => FiredSignal[] {
  const compiled = definitions.map(compileSignal);
  const transactionSlot = featureSlot('is_transaction');
  return (vector) => {
    const left = vector[transactionSlot] === 1 ? 'events' : 'transactions';
    const fired: FiredSignal[] = [];
    for (const { definition, read, forces, floor } of compiled) {
      if (definition.applies_to === left) continue;
      const reading = read(vector);
      if (reading === undefined) continue;
      const { name, family, summary: detail } = definition;
      const { log_odds } = reading;
      fired.push({ name, family, log_odds, detail, forces_review: forces(vector), lifts_to: floor(vector) });
    }
    return fired;
  };
}

/**
 * Reads signals again from a vector that differs in some features alone from that of the signals `before`: only those on
 * these features are read, five of 32 if it is the amount. As from a stored vector, except for sentences and the order.
 */
export function compileChangedSignals(
  definitions: readonly SignalDefinition[],
  isChanged: (feature: FeatureName) => boolean,
): (vector: Vector, before: readonly FiredSignal[]) => readonly FiredSignal[] {
  const [changed, others] = [new Set<string>(), new Set<string>()];
  for (const each of definitions) (featuresOf(each).some(isChanged) ? changed : others).add(each.name);
  const read = compileStoredSignals(definitions.filter(({ name }) => changed.has(name)));
  return (vector, before) => [...before.filter(({ name }) => others.has(name)), ...read(vector)];
}

/** Every feature that decides whether and how strongly a signal fires. */
export function featuresOf({ cases, forces_review, lifts_to }: SignalDefinition): FeatureName[] {
  const features = cases.flatMap(({ when, strength }) => [...inCondition(when), ...inStrength(strength)]);
  if (forces_review !== undefined) features.push(...inCondition(forces_review));
  if (lifts_to !== undefined) features.push(lifts_to);
  return features;
}

function inCondition(condition: Condition): FeatureName[] {
  if (condition.type === 'between') return [condition.feature];
  return condition.type === 'not' ? inCondition(condition.condition) : condition.conditions.flatMap(inCondition);
}

function inStrength(strength: Strength): FeatureName[] {
  if (typeof strength === 'number') return [];
  return 'feature' in strength ? [strength.feature] : strength.flatMap(inStrength);
}

interface CompiledSignal {
  readonly definition: SignalDefinition;
  readonly forces: Test;
  readonly floor: (vector: Vector) => number | undefined;
  read(vector: Vector): { readonly index: number; readonly log_odds: number } | undefined;
}

/** Readers of live and of stored vectors share what was compiled: it takes a while when a function starts. */
const compiledSignals = new WeakMap<SignalDefinition, CompiledSignal>();

function compileSignal(definition: SignalDefinition): CompiledSignal {
  const known = compiledSignals.get(definition);
  if (known !== undefined) return known;
  const cases = definition.cases.map(({ when, strength }) => ({
    holds: compileCondition(when),
    measure: compileStrength(strength),
  }));
  const forces = definition.forces_review === undefined ? () => false : compileCondition(definition.forces_review);
  const floorSlot = definition.lifts_to === undefined ? undefined : featureSlot(definition.lifts_to);
  const floor: CompiledSignal['floor'] = floorSlot === undefined ? () => undefined : (vector) => vector[floorSlot];
  const read: CompiledSignal['read'] = (vector) => {
    let index = -1;
    let logOdds = 0;
    for (let i = 0; i < cases.length; i++) {
      const { holds, measure } = cases[i] as (typeof cases)[number];
      if (!holds(vector)) continue;
      const measured = measure(vector);
      if (Math.abs(measured) > Math.abs(logOdds)) {
        index = i;
        logOdds = measured;
      }
    }
    return index < 0 ? undefined : { index, log_odds: logOdds };
  };
  const signal = { definition, forces, floor, read };
  compiledSignals.set(definition, signal);
  return signal;
}

function featureValues(vector: Vector): FeatureValues {
  return (feature) => vector[featureSlot(feature)] as number;
}

/** The sentence of a case; if writing it fails, the signal still counts, with its summary instead. */
function sentence(
  definition: SignalDefinition,
  index: number,
  vector: Vector,
  facts: ScreeningFacts,
): { readonly detail: string; readonly failure: boolean } {
  try {
    const detail = definition.cases[index]?.detail(featureValues(vector), facts) ?? definition.summary;
    return { detail, failure: false };
  } catch {
    return { detail: definition.summary, failure: true };
  }
}
