import { auc } from '../../../../shared/domain/models/evaluation/ranking-curve';
import { memoryStore } from '../../../../shared/store/memory/memory-store';
import { historyBuilder } from '../../../../training/replay/history';
import { replay } from '../../../../training/replay/replay';
import { botWave } from '../../../support/traffic/bot-wave';
import { lined, START_MS, type TrafficLine } from '../../../support/traffic/random-traffic';

const ips = { lookup: () => ({ country: 'DE', network: 'other' }) as const };
const HOUR_MS = 3_600_000;

/** A count that anybody can make: the attempts on the same device in the hour before each line, its own included. */
function deviceHours(lines: readonly TrafficLine[]): number[] {
  const before = new Map<string, number[]>();
  return lines.map(({ t, body }) => {
    const [at, device] = [Date.parse(t), String(body.device_fingerprint)];
    const recent = [...(before.get(device) ?? []).filter((each) => at - each < HOUR_MS), at];
    before.set(device, recent);
    return recent.length;
  });
}

const scoresOf = (label: 0 | 1, scores: readonly number[], labels: Uint8Array) =>
  scores.filter((_, i) => labels[i] === label);

/** The score that 1% of the honest exceed. */
function boundOfOnePercent(scores: readonly number[], labels: Uint8Array): number {
  const honest = scoresOf(0, scores, labels).sort((a, b) => b - a);
  return honest[Math.floor(honest.length / 100)] as number;
}

/** The share of fraud above the score that 1% of the honest exceed. */
function foundAtOnePercent(scores: readonly number[], labels: Uint8Array): number {
  const bound = boundOfOnePercent(scores, labels);
  const fraud = scoresOf(1, scores, labels);
  return fraud.filter((score) => score > bound).length / fraud.length;
}

/** Of what is not found at 1% false positives, the share that belongs to the first two accounts of a wave. */
function missedEarly(scores: readonly number[], lines: readonly TrafficLine[], labels: Uint8Array): number {
  const bound = boundOfOnePercent(scores, labels);
  const accounts = new Map<string, Set<unknown>>();
  const missed = lines.flatMap(({ body, label }, i) => {
    if (label === 0) return [];
    const device = String(body.device_fingerprint);
    const wave = (accounts.get(device) ?? new Set()).add(body.user_id);
    accounts.set(device, wave);
    return (scores[i] as number) > bound ? [] : [wave.size];
  });
  return missed.filter((account) => account <= 2).length / missed.length;
}

/** How a wave of bots is ranked by the service without any label, by counting alone, and what becomes of those involved. */
export async function waveRanking(people: number, bots: number, seed?: number) {
  const lines = botWave(people, bots, seed);
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, { ...line, label: null });
  });
  const scores: number[] = [];
  const decisions: string[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore() }, ({ i, risk_score, decision }) => {
    scores[i] = risk_score;
    decisions[i] = decision;
  });
  const labels = Uint8Array.from(lines, ({ label }) => label as number);
  const counted = deviceHours(lines);
  const isStopped = (i: number) => decisions[i] !== 'allow';
  const honest = lines.flatMap(({ label }, i) => (label === 0 ? [i] : []));
  /** By device, the bot purchases in the order in which they came. */
  const waves = new Map<string, boolean[]>();
  lines.forEach(({ label, kind, body }, i) => {
    if (label !== 1 || kind !== 'transaction') return;
    const device = String(body.device_fingerprint);
    waves.set(device, [...(waves.get(device) ?? []), isStopped(i)]);
  });
  return {
    auc: { scored: auc(scores, labels), counted: auc(counted, labels) },
    found: { scored: foundAtOnePercent(scores, labels), counted: foundAtOnePercent(counted, labels) },
    missed_early: missedEarly(scores, lines, labels),
    honest_stopped: honest.filter(isStopped).length / honest.length,
    waves: [...waves.values()],
  };
}

const MINUTE_MS = 60_000;

/** Twelve new accounts within an hour, a device each, that buy so long after signing up: what becomes of their purchases, in order. */
export async function newcomers(place: 'address' | 'network', buyAfterMs: number): Promise<string[]> {
  const timed = Array.from({ length: 12 }, (_, i) => {
    const body = {
      user_id: `new-${i}`,
      device_fingerprint: `device-${i}`,
      ip_address: place === 'address' ? '45.9.7.3' : `45.9.7.${10 + i}`,
    };
    const at = START_MS + 4 * i * MINUTE_MS;
    return [
      { at, kind: 'signup', label: 0, body } as const,
      { at: at + buyAfterMs, kind: 'transaction', label: 0, body: { ...body, amount: 40, currency: 'USD' } } as const,
    ];
  }).flat();
  const lines = lined(timed, START_MS);
  const builder = historyBuilder();
  lines.forEach((line, i) => {
    builder.add(i, { ...line, label: null });
  });
  const decisions: string[] = [];
  await replay(builder.finish().lines(), { ips, store: memoryStore() }, ({ i, decision }) => {
    if (lines[i]?.kind === 'transaction') decisions.push(decision);
  });
  return decisions;
}
