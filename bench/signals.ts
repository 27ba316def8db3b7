import { DEFAULT_SETTINGS } from '../shared/domain/accounts/account';
import { compileCondition, compileSignals } from '../shared/domain/screening/compile-signals';
import { extractFeatures, FEATURE_NAMES } from '../shared/domain/screening/features';
import { score } from '../shared/domain/screening/score';
import { screen } from '../shared/domain/screening/screen';
import type { Condition } from '../shared/domain/screening/signal-definition';
import { SIGNALS } from '../shared/domain/screening/signals';
import { purchase } from './support/build-history';
import type { Measurement } from './support/measurement';
import { FRAUD, HONEST } from './support/stories';

/* Prints µs per screening and the same 20 conditions in json-rules-engine: `npm run bench -- signals`. */
const ROUNDS = 7;
const CONDITIONS = 20;

/** As a screening sees them: nine honest attempts out of ten. */
const FACTS = [
  ...Array.from({ length: 9 }, () => HONEST.map(({ facts }) => facts)).flat(),
  ...FRAUD.map(({ facts }) => facts),
  purchase(),
];

export interface SignalTimings {
  readonly features: number;
  readonly features_us: number;
  readonly signals_us: number;
  readonly score_us: number;
  readonly screen_us: number;
  readonly conditions_us: number;
  /** Missing when json-rules-engine is not installed. */
  readonly json_rules_engine_us?: number;
  readonly times_faster?: number;
}

/** The fastest round: time taken by other processes does not count. */
const least = (values: readonly number[]): number => Math.min(...values);

/** The time of one call in the best of the rounds, in µs. */
function microseconds(calls: number, work: (index: number) => unknown): number {
  let sink: unknown;
  for (let i = 0; i < calls; i++) sink = work(i);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    for (let i = 0; i < calls; i++) sink = work(i);
    return ((performance.now() - start) * 1000) / calls;
  });
  if (sink === undefined) throw new Error('the work was optimised away');
  return least(rounds);
}

/** The conditions of all cases of all signals, the first twenty. */
const conditions: readonly Condition[] = SIGNALS.flatMap(({ cases }) => cases.map(({ when }) => when)).slice(
  0,
  CONDITIONS,
);

interface EngineCondition {
  readonly [key: string]: unknown;
}

/** The same rule in json-rules-engine's format. A fact of NaN is false there too. */
function toEngine(condition: Condition): EngineCondition {
  if (condition.type === 'not') return { not: toEngine(condition.condition) };
  if (condition.type !== 'between') return { [condition.type]: condition.conditions.map(toEngine) };
  const { feature: fact, from, to } = condition;
  const bounds = [
    ...(from === -Infinity ? [] : [{ fact, operator: 'greaterThanInclusive', value: from }]),
    ...(to === Infinity ? [] : [{ fact, operator: 'lessThanInclusive', value: to }]),
  ];
  return bounds.length === 1 ? (bounds[0] as EngineCondition) : { all: bounds };
}

const asRoot = (condition: EngineCondition): EngineCondition =>
  'all' in condition || 'any' in condition || 'not' in condition ? condition : { all: [condition] };

async function engineMicroseconds(
  vectors: readonly Float32Array[],
  expected: readonly number[],
): Promise<number | undefined> {
  const module = await import('json-rules-engine').catch(() => undefined);
  if (module === undefined) return undefined;
  const engine = new module.Engine(
    conditions.map((condition, i) => ({ conditions: asRoot(toEngine(condition)) as never, event: { type: `${i}` } })),
  );
  const facts = vectors.map((vector) => Object.fromEntries(FEATURE_NAMES.map((name, slot) => [name, vector[slot]])));
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = performance.now();
    for (let i = 0; i < facts.length; i++) {
      const { events } = await engine.run(facts[i] ?? {});
      if (events.length !== expected[i]) throw new Error(`the engines disagree on vector ${i}`);
    }
    rounds.push(((performance.now() - start) * 1000) / facts.length);
  }
  return least(rounds);
}

/** Measures everything once. */
export async function benchSignals(): Promise<SignalTimings> {
  const at = <T>(list: readonly T[], i: number): T => list[i % list.length] as T;
  const readSignals = compileSignals(SIGNALS);
  const vectors = FACTS.map(extractFeatures);
  const fired = FACTS.map((facts, i) => readSignals(at(vectors, i), facts).fired);
  const tests = conditions.map(compileCondition);
  const holding = (vector: Float32Array): number => {
    let count = 0;
    for (const test of tests) if (test(vector)) count++;
    return count;
  };
  const conditions_us = microseconds(200_000, (i) => holding(at(vectors, i)));
  const engine = await engineMicroseconds(vectors, vectors.map(holding));
  return {
    features: FEATURE_NAMES.length,
    features_us: microseconds(50_000, (i) => extractFeatures(at(FACTS, i))),
    signals_us: microseconds(50_000, (i) => readSignals(at(vectors, i), at(FACTS, i))),
    score_us: microseconds(50_000, (i) => score(at(fired, i), DEFAULT_SETTINGS)),
    screen_us: microseconds(50_000, (i) => screen(at(FACTS, i), DEFAULT_SETTINGS)),
    conditions_us,
    ...(engine === undefined ? {} : { json_rules_engine_us: engine, times_faster: engine / conditions_us }),
  };
}

export async function run(): Promise<Measurement[]> {
  const timings = await benchSignals();
  const us = (value: number): string => `${value.toFixed(2)} µs`;
  console.log(`features        ${us(timings.features_us)} for ${timings.features}`);
  console.log(`signals         ${us(timings.signals_us)} for ${SIGNALS.length}`);
  console.log(`score           ${us(timings.score_us)}`);
  console.log(`screen          ${us(timings.screen_us)}, facts to decision`);
  const { json_rules_engine_us: engine, times_faster: factor } = timings;
  console.log(`${conditions.length} conditions   ${us(timings.conditions_us)}`);
  if (engine === undefined || factor === undefined) console.log('json-rules-engine not installed');
  else console.log(`the same in json-rules-engine ${us(engine)}: ${factor.toFixed(0)} times slower`);
  return [
    { what: 'features, signals and score', found: us(timings.screen_us) },
    {
      what: `json-rules-engine × ${conditions.length} signal conditions`,
      found: factor?.toFixed(0) ?? 'not installed',
      aim: '≥ 150',
    },
  ];
}
