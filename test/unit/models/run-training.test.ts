import {
  EMPTY_REGISTRY,
  EMPTY_TALLY,
  modelIn,
  type RegistryState,
  rollBack,
  type ShadowTally,
} from '../../../shared/domain/models/registry-state';
import { seededRandom } from '../../../shared/domain/models/seeded-random';
import type { StoredLabel } from '../../../shared/domain/models/stored-label';
import { FEATURE_NAMES, featureSlot } from '../../../shared/domain/screening/features';
import { packVector } from '../../../shared/domain/screening/subjects/feature-vector-codec';
import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry, registryPrefix } from '../../../shared/store/models/model-registry';
import { readEvaluation, readMetadata } from '../../../shared/usecases/models/model-files';
import { runTraining, type TrainingDeps } from '../../../shared/usecases/models/run-training';
import { trainModel } from '../../../training/engine/learn/train-model';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 9, 1);

/** A world with a table of labels, a registry and a clock; fraud is what no signal sees: amounts of about 70 dollars. */
function world(stage: 'sandbox' | 'production' = 'sandbox', objects = memoryObjects()) {
  const registry = modelRegistry(objects, registryPrefix(stage));
  const stored: StoredLabel[] = [];
  const random = seededRandom(11);
  let nowMs = START;
  let tally: ShadowTally = EMPTY_TALLY;
  const deps: TrainingDeps = {
    stage,
    clock: { now: () => nowMs },
    registry,
    leader: stage === 'sandbox' ? modelRegistry(objects) : undefined,
    labels: {
      accounts: async () => ['acc_1'],
      storedInMonth: async (_account, month) =>
        stored.filter(({ screened_at_ms }) => new Date(screened_at_ms).toISOString().startsWith(month)),
    },
    tallies: { find: async () => tally },
    base: undefined,
    // A few trees are enough to tell amounts of one kind from the rest, and quick to grow.
    fit: (rows, parent, at, plan) =>
      trainModel(rows, {
        ...{ nowMs: at, source: 'labels', parent, plan },
        settings: { num_iterations: 30, learning_rate: 0.3, num_leaves: 16, lambda_l2: 5 },
      }),
  };
  return {
    registry,
    objects,
    run: () => runTraining(deps),
    pass: (ms: number) => {
      nowMs += ms;
    },
    observe: (next: Partial<ShadowTally>) => {
      tally = { screened: 500, silent: 0, champion_stopped: 25, shadow_stopped: 30, ...next };
    },
    state: async (): Promise<RegistryState> => (await registry.state()).state,
    /** Screens and labels, an hour each; `truth` says what the analysts find. */
    label: (count: number, truth: (isFraud: boolean) => boolean = (isFraud) => isFraud, share = 0.35) => {
      for (let i = 0; i < count; i++) {
        nowMs += HOUR / 4;
        const isFraud = random() < share;
        const vector = new Float32Array(FEATURE_NAMES.length).fill(Number.NaN);
        vector[featureSlot('is_transaction')] = 1;
        vector[featureSlot('amount_ln_usd')] = isFraud ? 4.2 + 0.3 * random() : 1 + 7 * random();
        vector[featureSlot('hour_utc')] = 24 * random();
        stored.push({
          subject_id: `txn_${stored.length}`,
          label: truth(isFraud) ? 'fraud' : 'legitimate',
          source: 'case',
          analyst_id: null,
          labeled_at: new Date(nowMs).toISOString(),
          screened_at_ms: nowMs,
          risk_score: 5,
          model_version: 'rules-1',
          feature_version: 1,
          vector: packVector(vector),
        });
      }
    },
  };
}

/** A world whose first model has been promoted. */
async function taught() {
  const here = world('sandbox');
  here.label(400);
  expect(await here.run()).toMatchObject({ outcome: 'shadow_started' });
  here.observe({});
  here.pass(DAY);
  here.label(100);
  const promoted = await here.run();
  expect(promoted).toMatchObject({ outcome: 'promoted' });
  return { ...here, champion: promoted.version as string };
}

describe('before there is enough', () => {
  it('trains nothing, and says what is missing', async () => {
    const { run, label, state } = world();
    expect(await run()).toMatchObject({ outcome: 'too_few_labels', version: null });
    label(199);
    const { detail, labels } = await run();
    expect(detail).toMatch(/200 are needed/);
    expect((labels?.fraud ?? 0) + (labels?.legitimate ?? 0)).toBe(199);
    expect((await state()).models).toEqual([]);
  });

  it('trains nothing from labels of one kind', async () => {
    const { run, label } = world();
    label(300, () => false);
    expect((await run()).outcome).toBe('too_few_labels');
  });

  it('waits for new labels after a training', async () => {
    const { run, label, pass, observe } = world('sandbox');
    label(600);
    expect(await run()).toMatchObject({ outcome: 'shadow_started' });
    observe({});
    pass(3 * DAY);
    expect(await run()).toMatchObject({ outcome: 'promoted' });
    label(59, undefined, 0.6);
    expect(await run()).toMatchObject({ outcome: 'too_few_labels', detail: expect.stringMatching(/59 .* 60 are/) });
    label(1);
    expect((await run()).outcome).toBe('shadow_started');
  });
});

describe('a model that learnt something', () => {
  it('runs in shadow, wins again on labels of that time, and becomes champion; all of it is on record', async () => {
    const { state, champion, registry, objects } = await taught();
    const now = await state();
    expect(modelIn(now, 'champion')?.version).toBe(champion);
    expect(now.changes.map(({ from, to }) => [from, to])).toEqual([
      [null, 'candidate'],
      ['candidate', 'shadow'],
      ['shadow', 'champion'],
    ]);
    const metadata = await readMetadata(registry, champion);
    expect(metadata).toMatchObject({
      version: champion,
      source: 'sandbox',
      card: { parent: null },
      verdict: { passed: true },
    });
    const evaluated = await readEvaluation(registry, champion);
    expect(evaluated?.evaluation.challenger.auc).toBeGreaterThan(0.9);
    expect(evaluated?.evaluation.challenger.auc).toBeGreaterThan((evaluated?.evaluation.champion.auc ?? 1) + 0.1);
    expect(objects.keys().filter((key) => key.includes(champion))).toHaveLength(5);
  });

  it('is not promoted before a day is over, nor before labels and traffic have come', async () => {
    const here = world();
    here.label(400);
    await here.run();
    here.observe({});
    here.label(90);
    expect((await here.run()).outcome).toBe('shadow_waiting');
    here.observe({ screened: 99 });
    here.pass(2 * DAY);
    expect((await here.run()).outcome).toBe('shadow_waiting');
    here.observe({});
    expect((await here.run()).outcome).toBe('promoted');
  });

  it('is given up after two weeks without labels', async () => {
    const here = world();
    here.label(400);
    const { version } = await here.run();
    here.pass(14 * DAY);
    expect((await here.run()).outcome).toBe('shadow_overdue');
    expect((await here.state()).models).toEqual([expect.objectContaining({ version, status: 'retired' })]);
  });

  it.each([
    ['it failed on live traffic', { silent: 1 }, /never fails/],
    ['it would flood the analysts', { shadow_stopped: 480 }, /flood/],
  ])('is not promoted when %s', async (_what, tally, reason) => {
    const here = world();
    here.label(400);
    await here.run();
    here.observe(tally);
    here.pass(DAY);
    here.label(100);
    expect(await here.run()).toMatchObject({ outcome: 'shadow_refused', detail: expect.stringMatching(reason) });
    expect(modelIn(await here.state(), 'champion')).toBeUndefined();
  });

  it('is not promoted when it loses on the labels of its time in shadow', async () => {
    const here = world();
    here.label(400);
    await here.run();
    here.observe({});
    here.pass(DAY);
    here.label(150, (isFraud) => !isFraud);
    expect((await here.run()).outcome).toBe('shadow_refused');
  });
});

describe('labels that were turned round', () => {
  it('make no champion, whoever looks only at the newest', async () => {
    const { label, run, pass, observe, state, champion } = await taught();
    label(400, (isFraud) => !isFraud);
    const refused = await run();
    expect(refused.outcome).toBe('candidate_refused');
    expect(refused.champion_auc).toBeLessThan(0.2);
    observe({});
    pass(DAY);
    label(200, (isFraud) => !isFraud);
    await run();
    expect(modelIn(await state(), 'champion')?.version).toBe(champion);
    expect(modelIn(await state(), 'shadow')).toBeUndefined();
  });

  it('make none when they are as good as drawn by lot', async () => {
    const { label, run, state, champion } = await taught();
    const lot = seededRandom(3);
    label(400, () => lot() < 0.4);
    expect((await run()).outcome).toBe('candidate_refused');
    expect(modelIn(await state(), 'champion')?.version).toBe(champion);
  });
});

describe('what a promotion changes', () => {
  it('is measured before it happens: how many recent decisions would flip, and how far scores would move', async () => {
    const { label, run, registry } = await taught();
    label(400);
    const { outcome, version } = await run();
    expect(outcome).toBe('shadow_started');
    const { evaluation } = (await readEvaluation(registry, version as string)) ?? {};
    expect(evaluation?.move?.rows).toBeGreaterThan(100);
    expect(evaluation?.harm?.expected.challenger).toBeGreaterThan(0);
  });

  it('is said in words: the fraud that only the new model stops, and by what', async () => {
    const here = world();
    here.label(400);
    const { learned, version } = await here.run();
    // No signal sees this fraud, so that it was all allowed.
    expect(learned[0]).toMatch(/^Stops \d\d of the \d\d newest frauds that the champion allowed, mostly by .*amount/);
    expect(learned).toContainEqual(expect.stringMatching(/^Looks more at .*\(0% → \d+% of its gain\)/));
    expect((await readEvaluation(here.registry, version as string))?.learned).toEqual(learned);
  });

  it('is no reason to refuse: a weak champion gives way, however far that moves scores', async () => {
    const here = world();
    // One label in five is wrong, and so the first model says one in five of everybody.
    const lot = seededRandom(3);
    here.label(700, (isFraud) => (lot() < 0.2 ? !isFraud : isFraud), 0.1);
    expect((await here.run()).outcome).toBe('shadow_started');
    here.observe({});
    here.pass(3 * DAY);
    expect((await here.run()).outcome).toBe('promoted');
    here.label(900, undefined, 0.1);
    const { outcome, version, detail } = await here.run();
    expect([outcome, detail]).toEqual(['shadow_started', 'won on the newest labels']);
    const { evaluation } = (await readEvaluation(here.registry, version as string)) ?? {};
    expect(evaluation?.move?.beyond_bound).toBeGreaterThan(0.5);
  });

  it('never waits for labels where fraud is rare and reported late: after three days, traffic decides', async () => {
    const here = world();
    here.label(400);
    await here.run();
    here.observe({});
    here.pass(2 * DAY);
    expect((await here.run()).outcome).toBe('shadow_waiting');
    here.pass(DAY);
    expect((await here.run()).outcome).toBe('promoted');
    expect((await here.state()).changes.at(-1)?.reason).toMatch(/labels were too few/);
  });

  it('is told when a better model is refused', async () => {
    const { label, run, state } = await taught();
    // More than it was taught the right way round, so that this is what it learns.
    label(900, (isFraud) => !isFraud, 0.65);
    const refused = await run();
    expect(refused).toMatchObject({ outcome: 'candidate_refused', is_better: true });
    const { models } = await state();
    expect(models.at(-1)).toMatchObject({
      better_but: expect.stringContaining('still knows what the champion learned'),
    });
    expect(models[0]).not.toHaveProperty('better_but');
  });
});

describe('two stages, one bucket', () => {
  it('sandbox learns alone, and writes nothing of production, until production trains', async () => {
    const sandbox = await taught();
    const production = world('production', sandbox.objects);
    expect(await production.state()).toBe(EMPTY_REGISTRY);
    const learnt = await sandbox.state();
    expect(modelIn(learnt, 'champion')).toBeDefined();
    expect((await production.run()).outcome).toBe('too_few_labels');
    sandbox.label(500);
    expect((await sandbox.run()).outcome).toBe('follows_production');
    expect(await sandbox.state()).toEqual(learnt);
  });

  it('what sandbox taught when both wrote to the same registry steps down', async () => {
    const sandbox = await taught();
    const production = world('production', sandbox.objects);
    const learnt = await sandbox.state();
    await production.registry.change(() => learnt);
    await production.run();
    expect(await production.state()).toMatchObject({ learns_from: 'production', models: [{ status: 'retired' }] });
  });
});

it('learns anew after a rollback', async () => {
  const { registry, label, run, state } = await taught();
  await registry.change((now) => rollBack(now, { at: new Date().toISOString(), by: 'somebody', reason: 'trouble' }));
  expect(modelIn(await state(), 'champion')).toBeUndefined();
  label(400);
  expect((await run()).outcome).toBe('shadow_started');
});

it('has one model in shadow when two runs meet', async () => {
  const { run, label, state } = world();
  label(400);
  const [first, second] = await Promise.allSettled([run(), run()]);
  expect([first.status, second.status]).toContain('fulfilled');
  expect((await state()).models.filter(({ status }) => status === 'shadow')).toHaveLength(1);
});
