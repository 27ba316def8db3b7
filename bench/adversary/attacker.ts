import {
  type Attempt,
  DAY_MS,
  eventBy,
  MINUTE_MS,
  type Person,
  paymentBy,
  type World,
} from '../../training/simulation/world';
import type { Outcome } from './outcome';
import type { Brought, Play, Strategy } from './strategy';
import { type Answer, isStopped, type Shop, type Target } from './target';

/** Ends a play: the budget is spent, or the attacker has what they wanted. */
class Over extends Error {}

export interface Attacker {
  readonly strategy: Strategy;
  wakesAtMs(): number | undefined;
  wake(): Promise<void>;
  shares(attempt: Attempt): boolean;
  hurts(person: Person): void;
  outcome(): Outcome;
}

export interface AttackerOptions {
  readonly strategy: Strategy;
  readonly target: Target;
  readonly world: World;
  readonly victims: readonly Person[];
  readonly startMs: number;
  readonly onHonest: (person: Person, answer: Answer) => void;
}

/** Traces of an attempt, by which an honest person can be mistaken for its author. */
export const tracesOf = ({ body }: Attempt): string[] => [
  `user ${body.user_id}`,
  ...(body.device_fingerprint === undefined ? [] : [`device ${body.device_fingerprint}`]),
  ...(body.ip_address === undefined ? [] : [`ip ${body.ip_address}`]),
];

/** Plays a strategy bit by bit: others act while it waits. */
export function attacker(options: AttackerOptions): Attacker {
  const { strategy, target, world, victims, startMs, onHonest } = options;
  const { budget } = strategy;
  const traces = new Set<string>();
  const hurt = new Set<string>();
  const aimedAt = new Set(victims.map(({ user_id }) => user_id));
  const prizes = { tried: 0, allowed: 0 };
  const prizeScores: number[] = [];
  const brought: Record<string, Brought> = {};
  let attempts = 0;
  let shift: number | null = null;
  let moneyOut = 0;
  let firstAllow: Outcome['first_allow'] = null;
  let wakesAtMs: number | undefined = startMs;
  let resume: (() => void) | undefined;
  let parked: () => void = () => undefined;

  const days = () => (target.now() - startMs) / DAY_MS;

  async function attempt(made: Attempt, shop: Shop = 'shop'): Promise<Answer> {
    if (attempts >= budget.attempts || days() > budget.days || (budget.money > 0 && moneyOut >= budget.money))
      throw new Over();
    attempts += 1;
    for (const trace of tracesOf(made)) traces.add(trace);
    return target.screen(shop, made);
  }

  const play: Play = {
    ...world,
    victims,
    name: (what) => `${strategy.name}-${what}`,
    async pay(body, purpose = 'prize') {
      const answer = await attempt({ kind: 'payment', body });
      if (!isStopped(answer)) moneyOut += body.amount;
      if (purpose === 'step') return answer;
      prizes.tried += 1;
      prizeScores.push(answer.score);
      if (isStopped(answer)) return answer;
      prizes.allowed += 1;
      firstAllow ??= { attempts, days: days() };
      return answer;
    },
    act: (body) => attempt({ kind: 'event', body }),
    wait: (ms) =>
      new Promise((resolve) => {
        wakesAtMs = target.now() + ms;
        resume = resolve;
        parked();
      }),
    decline: async (answer, reason) => {
      if (!isStopped(answer)) await target.say('shop', answer.decision_id, reason);
    },
    reject: ({ decision_id }) => target.review('shop', decision_id, 'block'),
    async asUsual(person, over = {}) {
      const [device_fingerprint = ''] = person.devices;
      const [ip_address = ''] = person.addresses;
      const from = { device_fingerprint, ip_address, ...over };
      const meet = async (usual: Attempt): Promise<Answer> => {
        const answer = await target.screen('shop', usual);
        onHonest(person, answer);
        if (isStopped(answer)) hurt.add(person.user_id);
        await target.moveTo(target.now() + 2 * MINUTE_MS);
        return answer;
      };
      // Anyone who buys before the attack begins is there for comparison.
      if (attempts > 0) aimedAt.add(person.user_id);
      await meet({ kind: 'event', body: eventBy(world, person, 'login', from) });
      return meet({ kind: 'payment', body: paymentBy(world, person, from) });
    },
    noteBrought: (way, sum) => {
      brought[way] = { ...sum };
    },
    noteShift: (points) => {
      shift = points;
    },
    rival: target.train && {
      pay: (body) => attempt({ kind: 'payment', body }, 'rival'),
      label: ({ decision_id }, decision) => target.review('rival', decision_id, decision),
      train: target.train,
    },
  };

  let playing: Promise<void> | undefined;
  const begin = (): Promise<void> =>
    strategy
      .play(play)
      .catch((error: unknown) => {
        if (!(error instanceof Over)) throw error;
      })
      .finally(() => {
        wakesAtMs = undefined;
      });

  return {
    strategy,
    wakesAtMs: () => wakesAtMs,
    async wake() {
      const untilParked = new Promise<void>((resolve) => {
        parked = resolve;
      });
      wakesAtMs = undefined;
      if (playing === undefined) playing = begin();
      else resume?.();
      await Promise.race([untilParked, playing]);
    },
    shares: (made) => tracesOf(made).some((trace) => traces.has(trace)),
    hurts: ({ user_id }) => {
      hurt.add(user_id);
    },
    outcome: () => ({
      strategy: strategy.name,
      aim: strategy.aim ?? 'money',
      attempts,
      first_allow: firstAllow,
      prizes,
      money_out: Math.round(moneyOut),
      hurt: hurt.size,
      aimed_at: aimedAt.size,
      shift,
      scores: prizeScores.length === 0 ? null : { first: prizeScores[0] as number, lowest: Math.min(...prizeScores) },
      ...(Object.keys(brought).length === 0 ? {} : { brought }),
    }),
  };
}
