import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { MODEL_COMMANDS } from '../../bin/model/commands';
import { readCommand } from '../../shared/cli/command-line';
import { encodeArtefact } from '../../shared/domain/models/artefact-blob';
import { promote, rollBack, startShadow } from '../../shared/domain/models/registry-state';
import { localClient } from '../../shared/runtime/admin-wiring';
import { modelAdminWiring } from '../../shared/runtime/model-admin-wiring';
import { shadowTallyStore } from '../../shared/store/models/shadow-tally-store';
import { screeningReader } from '../../shared/store/screening/screening-reader';
import { call, newAccount } from '../support/api';
import { localRun } from '../support/local-run';
import { MINUTE, pass, useTimeMachine } from '../support/machine/time-machine';
import { amountModel, cause, registered, registryUnderTest } from '../support/stores/registry';

useTimeMachine();

let account: Awaited<ReturnType<typeof newAccount>>;
/** The model that scores while the registry names nobody. */
let before: string;
beforeAll(async () => {
  account = await newAccount();
  before = (await pay(20)).model_version;
});

async function pay(amount: number) {
  const body = { user_id: 'user-1', amount, currency: 'USD' };
  const { status, json } = await call('POST', '/v1/transactions/screen', { key: account.key, body });
  expect(status).toBe(200);
  return json as { decision_id: string; transaction_id: string; risk_score: number; model_version: string };
}

/** A minute later; on a machine that is too busy to answer S3 within the wait, a minute more. */
async function scoredBy(wanted: string, amount = 20) {
  for (let minutes = 1; ; minutes++) {
    await pass(MINUTE);
    const screened = await pay(amount);
    if (screened.model_version === wanted || minutes === 5) {
      expect(screened.model_version).toBe(wanted);
      return screened;
    }
  }
}

const table = () => {
  const { outputs } = localRun();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(localRun())));
  return { client, name: outputs.TableName ?? '' };
};

it('scores with the champion a minute after it was promoted, and no longer a minute after it was rolled back', async () => {
  const unmoved = await pay(5_000);
  const strict = await registered(amountModel(100));
  await registryUnderTest().change((state) => promote(state, strict, cause()));
  const dear = await scoredBy(strict, 5_000);
  expect(dear.risk_score).toBeGreaterThan(unmoved.risk_score);
  const cheap = await pay(5);
  expect(cheap.model_version).toBe(strict);
  expect(cheap.risk_score).toBeLessThan(dear.risk_score - 30);

  const other = await registered(amountModel(1));
  await registryUnderTest().change((state) => promote(state, other, cause()));
  await scoredBy(other);
  await registryUnderTest().change((state) => rollBack(state, cause()));
  await scoredBy(strict);
  await registryUnderTest().change((state) => rollBack(state, cause()));
  await scoredBy(before);
});

describe('the command line of models', () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-command-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** As `bin/model.ts` calls it, without another process for each. */
  const model = async (verb: string, words: string[] = [], more: Readonly<Record<string, string>> = {}) => {
    const { outputs } = localRun();
    const client = localClient(localRun());
    const models = { bucket: outputs.ModelRegistryBucket ?? '', ...client };
    const deps = await modelAdminWiring('sandbox', { tableName: outputs.TableName ?? '', client, models });
    const options = Object.entries(more).flatMap(([name, value]) => [`--${name}`, value]);
    const called = readCommand(MODEL_COMMANDS, [verb, ...words, ...options]);
    if (!called) throw new Error(`${verb} only asked for help`);
    return called.command.run(deps, called.given);
  };

  it('adds, promotes, explains and rolls back', async () => {
    const { text } = amountModel(70);
    const file = join(folder, 'model.txt');
    writeFileSync(file, text);
    expect(await model('add', [file])).toContain('is a candidate');
    const version = (await registryUnderTest().state()).state.models.at(-1)?.version as string;
    expect(await model('promote', [version], { reason: 'it is better' })).toMatch(new RegExp(`${version} +champion`));
    const { decision_id } = await scoredBy(version, 5_000);

    const explained = await model('explain', [decision_id]);
    expect(explained).toContain('identical, bit for bit');
    expect(explained).toMatch(/amount_ln_usd +8\.5/);
    expect(await model('show', [version])).toContain('it is better');

    const page = join(folder, 'report.html');
    expect(await model('report', [version], { out: page })).toContain(page);
    expect(readFileSync(page, 'utf8')).toContain(version);

    expect(await model('rollback')).toMatch(/base model +champion/);
    await scoredBy(before);
    // A decision of a model that is no longer in force is made once more with that model.
    expect(await model('explain', [decision_id])).toContain('identical, bit for bit');
  });

  it('exports the training rows, and adds what was trained on them elsewhere', async () => {
    const rows = join(folder, 'rows');
    expect(await model('export', [rows])).toMatch(/^\d+ rows in \d+ parts; /);
    const { stage, features } = JSON.parse(readFileSync(join(rows, 'manifest.json'), 'utf8'));
    expect([stage, features.length > 200]).toEqual(['sandbox', true]);
    const trained = join(folder, 'trained');
    mkdirSync(trained);
    writeFileSync(join(trained, 'model.txt'), amountModel(80).text);
    const described = {
      attributes: { columns: [] },
      calibration: { slope: 0.9, intercept: -0.1, role: 'replace' },
      trust: { judged: { new_device: [5, 4, 3, 2, 1, 0, 0, 0] } },
      parent: null,
      card: {
        trained_at: '2026-11-14T12:00:00Z',
        window: { from: '2026-09-01T00:00:00Z', to: '2026-11-14T00:00:00Z' },
        ...{ rows: 100, labels: { fraud: 20, legitimate: 80 }, settings: {} },
      },
    };
    writeFileSync(join(trained, 'model.json'), JSON.stringify(described));
    const added = await model('add', [trained]);
    expect(added).toContain('is a candidate');
    expect(await model('show', [added.split(' ')[0] ?? ''])).toContain('20 fraud and 80 legitimate in 100 rows');
    const flat = { ...described, calibration: { ...described.calibration, slope: 0 } };
    writeFileSync(join(trained, 'model.json'), JSON.stringify(flat));
    await expect(model('add', [trained])).rejects.toThrow(/model.json: calibration.slope/);
  });

  it('names what is wrong, and changes nothing', async () => {
    const { etag } = await registryUnderTest().state();
    await expect(model('promote', ['nobody'])).rejects.toThrow(/no model nobody/);
    await expect(model('promote')).rejects.toThrow(/Missing argument: model/);
    await expect(model('add', [join(folder, 'nothing')])).rejects.toThrow(/No such file or folder/);
    writeFileSync(join(folder, 'bad.txt'), 'tree\nversion=v4\n');
    await expect(model('add', [join(folder, 'bad.txt')])).rejects.toThrow(/is not a usable model/);
    await expect(model('explain', ['dec_1'])).rejects.toThrow(/is not the ID/);
    await expect(model('explain', ['dec_01JCM0DE000000000000000000'])).rejects.toThrow(/No account/);
    await expect(model('evaluate')).rejects.toThrow(/Not enough labels/);
    expect((await registryUnderTest().state()).etag).toBe(etag);
  });

  it('is reached by npm run model', async () => {
    const env = { ...process.env, LOCAL_DATA_DIR: localRun().dataDir };
    // Fails unless the status is 0.
    const ran = await promisify(execFile)('npm', ['run', '-s', 'model', '--', 'list'], { env });
    expect(ran.stdout).toMatch(/^MODEL +STATUS +SINCE +LEARNED FROM/);
  });
});

it('keeps the last good model when the next one is damaged', async () => {
  const good = await registered(amountModel(200));
  await registryUnderTest().change((state) => promote(state, good, cause()));
  await scoredBy(good);
  const { text, ...artefact } = amountModel(300);
  const bytes = encodeArtefact(artefact);
  bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
  const damaged = await registered({ ...artefact, text }, { bytes });
  await registryUnderTest().change((state) => promote(state, damaged, cause()));
  for (let i = 0; i < 3; i++) {
    await pass(MINUTE);
    expect((await pay(20)).model_version).toBe(good);
  }
  await registryUnderTest().change((state) => rollBack(state, cause()));
});

it('lets a model in shadow score beside it: kept with the result, counted, and shown to nobody', async () => {
  const shadow = await registered(amountModel(50));
  await registryUnderTest().change((state) => startShadow(state, shadow, cause()));
  let stored: Awaited<ReturnType<ReturnType<typeof screeningReader>['find']>>;
  let screened = await pay(5_000);
  for (let minutes = 1; minutes <= 5 && !stored?.shadow; minutes++) {
    await pass(MINUTE);
    screened = await pay(5_000);
    stored = await screeningReader(table()).find(account.account_id, screened.transaction_id.slice(4));
  }
  expect(stored?.shadow).toEqual({ version: shadow, risk_score: expect.any(Number) });
  expect(stored?.shadow?.risk_score).toBeGreaterThan(50);

  const decision = await call('GET', `/v1/decisions/${screened.decision_id}`, { key: account.key });
  const transaction = await call('GET', `/v1/transactions/${screened.transaction_id}`, { key: account.key });
  for (const answer of [screened, decision.json, transaction.json]) {
    expect(JSON.stringify(answer)).not.toContain(shadow);
    expect(Object.keys(answer)).not.toContain('shadow');
  }

  // Counts are written down with a later request.
  let tally = await shadowTallyStore(table()).find(shadow);
  for (let minutes = 1; minutes <= 5 && tally.screened === 0; minutes++) {
    await pass(MINUTE);
    await pay(5);
    tally = await shadowTallyStore(table()).find(shadow);
  }
  expect(tally.screened).toBeGreaterThan(0);
  expect(tally.shadow_stopped).toBeGreaterThan(0);
  expect(tally.silent).toBe(0);
});
