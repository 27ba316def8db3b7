import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '../../shared/routes';
import type { Route } from '../../shared/routes/define-route';
import { newAccount } from '../support/api';
import { runBruno } from '../support/collections/run-bruno';
import { runPostman } from '../support/collections/run-postman';
import type { Ran } from '../support/collections/send';
import { localRun } from '../support/local-run';

const FOLDER = join(__dirname, '../../docs/collections');
const calls = (ROUTES as readonly Route[]).filter((route) => !route.public).length;
/** Payments that are held so that there is a case to read, claim and resolve. */
const HELD = 2;

const failed = (ran: readonly Ran[]): Ran[] => ran.filter(({ passed }) => !passed);

/** Everything a person fills in, for an account of its own. */
const variables = async () => ({ baseUrl: localRun().url, apiKey: (await newAccount()).key });

it('Postman: every request of the collection succeeds, one after the other', async () => {
  const text = readFileSync(join(FOLDER, 'fraud-screening.postman_collection.json'), 'utf8');
  const ran = await runPostman(JSON.parse(text), await variables());
  expect(failed(ran)).toEqual([]);
  expect(ran.length).toBe(calls + HELD);
});

it('Bruno: every request of the collection succeeds, one after the other', async () => {
  const ran = await runBruno(join(FOLDER, 'bruno'), await variables());
  expect(failed(ran)).toEqual([]);
  expect(ran.length).toBe(calls + HELD);
});
