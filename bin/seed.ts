import { numberOf, readCommandLine, runCommand } from '../shared/cli/command-line';
import { progressBar } from '../shared/cli/progress-bar';
import { systemClock } from '../shared/runtime/clock';
import { createAccount, createKey } from '../shared/usecases/accounts/administer-accounts';
import { findTarget } from './admin/target';
import { seedAccount } from './seed/seed-account';

runCommand(async () => {
  const given = readCommandLine({
    usage: 'npm run seed -- [--cases N] [--users N]',
    about: 'Fills a new account of the local run with made-up review cases, to try the console with.',
    options: {
      cases: { value: 'number', does: 'how many cases', default: '10000' },
      users: { value: 'number', does: 'how many users they belong to', default: '300' },
    },
    next: 'sign in at /console with the key that it prints.',
  });
  if (!given) return;
  const cases = numberOf(given, 'cases', { min: 20, max: 100_000 });
  const users = numberOf(given, 'users', { min: 1, max: 10_000 });
  const { deps, description } = await findTarget('sandbox', false);
  console.log(description);
  const { account_id } = await createAccount(deps, `Seed of ${cases} cases`);
  const { key } = await createKey(deps, account_id, 'seed');
  const analyst = await createKey(deps, account_id, null, { role: 'analyst', person: 'ana.silva' });
  const bar = progressBar('cases', cases);
  const pseudonyms = await deps.identity.pseudonyms();
  const plan = { cases, users, nowMs: systemClock.now() };
  await seedAccount({ table: deps.table, pseudonyms, onCase: () => bar.step() }, account_id, plan);
  console.log(bar.stop());
  console.log(`account         ${account_id}`);
  console.log(`key of ana.silva ${analyst.key}`);
  console.log(`admin key       ${key}`);
  console.log(`console         ${deps.apiUrl}console`);
});
