import { auc } from '../../shared/domain/models/evaluation/ranking-curve';
import { modelIn } from '../../shared/domain/models/registry-state';
import { call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { DAY, MINUTE, pass, useTimeMachine } from '../support/machine/time-machine';
import { patient } from '../support/patience';
import { registryUnderTest } from '../support/stores/registry';
import { multiplyLabels } from '../support/traffic/multiply-labels';

/*
 * No signal can see it: orders from the kiosk are fraud. Nobody has configured anything; the merchant sends where an
 * order came from among the custom attributes, and analysts decide. Ten orders come at once; nothing here depends on how
 * many of them run at once.
 */
useTimeMachine({}, ['--concurrency', '2']);

let account_id: string;
let key: string;
beforeAll(async () => {
  ({ account_id, key } = await newAccount());
});

interface Screened {
  readonly decision_id: string;
  readonly risk_score: number;
  readonly model_version: string;
  readonly isFraud: boolean;
}

const post = (path: string, body: object) => call('POST', path, { key, body });

let orders = 0;

/** An order of somebody new, every other one from the kiosk. */
async function order(): Promise<Screened> {
  const number = orders++;
  const isFraud = number % 2 === 1;
  const body = {
    user_id: `user-${number}`,
    amount: 10 + ((number * 37) % 90),
    currency: 'EUR',
    custom_attributes: {
      sold_at: isFraud ? 'kiosk' : number % 4 === 0 ? 'web' : 'app',
      basket_size: `${(number * 7) % 9}`,
    },
  };
  const { status, json } = await post('/v1/transactions/screen', body);
  expect(status).toBe(200);
  return { ...json, isFraud };
}

/** Some at a time, like a shop; a minute passes with each handful. */
async function screen(count: number): Promise<Screened[]> {
  const screened: Screened[] = [];
  while (screened.length < count) {
    await pass(MINUTE);
    screened.push(...(await Promise.all(Array.from({ length: Math.min(10, count - screened.length) }, order))));
  }
  return screened;
}

/** Analysts look at all of them; `found` says what they find. */
async function review(screened: readonly Screened[], found = (isFraud: boolean) => isFraud): Promise<void> {
  for (let at = 0; at < screened.length; at += 10) {
    const replies = await Promise.all(
      screened
        .slice(at, at + 10)
        .map(({ decision_id, isFraud }) =>
          post(`/v1/decisions/${decision_id}/review`, { decision: found(isFraud) ? 'block' : 'allow' }),
        ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  }
}

/** How well the scores that callers got tell the kiosk from the rest. */
const ranking = (screened: readonly Screened[]): number =>
  auc(
    screened.map(({ risk_score }) => risk_score),
    Uint8Array.from(screened, ({ isFraud }) => Number(isFraud)),
  );

/** Lets the schedule of training fall due. */
async function train(): Promise<void> {
  const { url } = localRun();
  const names = (await (await fetch(`${url}/_local/schedules`)).json()) as string[];
  const name = names.find((known) => known.includes('TrainingDue')) ?? '';
  const outcomes = (await (await fetch(`${url}/_local/schedules/${name}`, { method: 'POST' })).json()) as object[];
  expect(outcomes).toEqual([expect.objectContaining({ ok: true })]);
}

/** Said with a failed expectation: why the last change was made. */
const lastReason = async () => (await registryUnderTest().state()).state.changes.at(-1)?.reason;

const inRole = async (role: 'champion' | 'shadow') => modelIn((await registryUnderTest().state()).state, role)?.version;

it(
  'labels make the next scores better; labels that were turned round do not make them worse',
  async () => {
    const first = await screen(80);
    expect(ranking(first)).toBeLessThan(0.6);
    await review(first);
    // As if analysts had looked at 240.
    await multiplyLabels(account_id, 2);
    await train();
    const shadow = await inRole('shadow');
    expect(shadow).toBeDefined();
    expect(await inRole('champion')).toBeUndefined();

    // A day of live traffic in shadow: it scores, and decides nothing.
    const second = await screen(110);
    expect(new Set(second.map(({ model_version }) => model_version))).toEqual(new Set([first[0]?.model_version]));
    await review(second);
    await train();
    expect([await inRole('shadow'), await inRole('champion')]).toEqual([shadow, undefined]);
    await pass(DAY);
    // Looked at like the rest: one in 64 that nobody looked at is presumed legitimate, and counts for all 64.
    await review(await screen(20));
    await train();
    expect([await inRole('shadow'), await inRole('champion'), await lastReason()]).toEqual([
      undefined,
      shadow,
      'won again, on the labels from its shadow period',
    ]);

    // The first requests a minute later may still be on their way to the new champion.
    await screen(20);
    const third = await screen(60);
    expect(new Set(third.map(({ model_version }) => model_version))).toEqual(new Set([shadow]));
    expect(ranking(third)).toBeGreaterThan(0.95);

    // A hundred labels that were turned round, by mistake or by malice. What they teach may be tried in shadow, where it
    // decides nothing; the right labels of that time end it.
    await review(await screen(100), (isFraud) => !isFraud);
    await train();
    expect(await inRole('champion')).toBe(shadow);
    if (await inRole('shadow')) {
      await review(await screen(110));
      await pass(DAY);
      await review(await screen(20));
      await train();
    }
    expect([await inRole('shadow'), await inRole('champion')]).toEqual([undefined, shadow]);
    const { state } = await registryUnderTest().state();
    expect(state.models.map(({ status }) => status)).toEqual(['champion', 'retired']);
    expect(await lastReason()).toMatch(
      /ranks no worse|still knows what the champion learned|finds more fraud per alert/,
    );
    expect(ranking(await screen(20))).toBeGreaterThan(0.95);
  },
  patient(120_000),
);
