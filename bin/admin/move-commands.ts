import { type Given, needWord, UsageError } from '../../shared/cli/command-line';
import type { Command } from '../../shared/cli/command-table';
import { progressLine } from '../../shared/cli/progress-line';
import { textTable } from '../../shared/cli/text-table';
import { type AccountMove, LAST_SCREENING_MS, NOTICE_MS } from '../../shared/domain/accounts/account-move';
import type { Stage } from '../../shared/domain/stage';
import { newUlid } from '../../shared/runtime/ids';
import { moveWiring } from '../../shared/runtime/move-wiring';
import { requireAccount } from '../../shared/usecases/accounts/administer-accounts';
import { finishMove } from '../../shared/usecases/accounts/finish-move';
import { followMoved } from '../../shared/usecases/accounts/follow-moved';
import { type MoveReport, moveAccount } from '../../shared/usecases/accounts/move-account';
import { clockSkewMs } from './clock-skew';
import { findCell, type Target } from './target';

type Deps = Target['deps'];

/** Announcements are in the time of this machine, and are read in the time of AWS. */
const MOST_SKEW_MS = 2_000;

/** The other deployment, of the same stage. */
async function cellOf(deps: Deps, given: Given): Promise<Deps> {
  const name = given.texts.cell;
  if (name === undefined) {
    throw new UsageError(
      'Name the other deployment: --cell REGION or PROFILE@REGION, or the data directory of a local run.',
    );
  }
  const { description, deps: cell } = await findCell(deps.stage, name, given.flags.has('aws'));
  const [here, there] = [deps.table, cell.table];
  if (here.name === there.name && deps.apiUrl === cell.apiUrl) {
    throw new UsageError(`--cell ${name} is this deployment itself.`);
  }
  console.error(`# other deployment: ${description}`);
  return cell;
}

const requireSameNames = async (here: Deps, there: Deps): Promise<void> => {
  const [ours, theirs] = await Promise.all([here.identity.materials(), there.identity.materials()]);
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
    throw new UsageError(
      'The two deployments name entities by different identity keys: histories would not be found there. A new deployment gets the keys with: npm run admin -- identity-key copy',
    );
  }
};

const requireSameTime = async (deps: Deps): Promise<void> => {
  const skewMs = await clockSkewMs(deps.apiUrl, deps.clock.now);
  if (Math.abs(skewMs) > MOST_SKEW_MS) {
    throw new UsageError(
      `This machine's clock is ${Math.round(skewMs / 1000)} s off. Set it first: a move is timed to the second.`,
    );
  }
};

const kindTable = ({ kinds }: MoveReport): string =>
  textTable([['KIND', 'ITEMS'], ...[...kinds].sort().map(([kind, count]) => [kind, String(count)])]);

const nextStep = (stage: Stage, accountId: string, cell: string): string =>
  `Next: point its callers at the new base URL. When they have changed, and at least half an hour from now, run: npm run admin -- accounts move-finish ${accountId} --cell ${cell} --stage ${stage}`;

/** Moves all that has not moved yet; returns what to print. */
async function move(deps: Deps, given: Given): Promise<string> {
  const account = await requireAccount(deps, needWord(given, 0, 'account id'));
  const { account_id } = account;
  const cell = await cellOf(deps, given);
  await requireSameNames(deps, cell);
  const known = account.move?.moved_at_ms === undefined ? undefined : account.move;
  const begun: AccountMove = known ?? { move_id: `move_${newUlid(deps.clock.now())}`, to: cell.apiUrl };
  const wiring = moveWiring(deps, cell, account_id, begun);
  const next = nextStep(deps.stage, account_id, given.texts.cell ?? '');
  if (known) {
    await wiring.open();
    return `${account_id} had moved already; it is open at ${known.to}\n${next}`;
  }
  if (await cell.accounts.account(account_id)) throw new UsageError(`${account_id} is already open at ${cell.apiUrl}`);
  await requireSameTime(deps);
  const progress = progressLine();
  const say = (text: string): void => {
    progress.done();
    console.error(text);
  };
  const report = await moveAccount(
    {
      ...wiring,
      onStep: (step, { items = 0, changed = 0 }) => {
        if (step === 'copying' || step === 'comparing')
          progress.show(() => `${step}: ${items} items, ${changed} written`);
        if (step === 'announced') say(`Copied. Its writes stop in ${NOTICE_MS / 1000} s, when every function knows.`);
        if (step === 'stopped') say(`Writes stopped ${LAST_SCREENING_MS / 1000} s ago. Bringing the last changes.`);
        if (step === 'verified') say(`Verified: ${items} items are the same at both ends.`);
        if (step === 'moved') say('Moved. Waiting until its last minutes are counted (nobody is stopped by this).');
      },
    },
    begun,
  );
  await wiring.late.silence(wiring.copier.due());
  const isCounted = await followMoved({
    ...wiring,
    onProgress: (brought) => progress.show(() => `${brought} late items`),
  }).finally(progress.done);
  return [
    kindTable(report),
    `${account_id} is at ${cell.apiUrl}; screenings were refused for ${(report.stoppedMs / 1000).toFixed(1)} s.`,
    report.isWhole
      ? 'Everything was compared while nothing could change.'
      : 'Everything was compared before the stop, and what changed since (above) during it.',
    ...(isCounted ? [] : ['The overview is not complete yet; move-finish completes it.']),
    next,
  ].join('\n');
}

/** Moving accounts between deployments: docs/grow-past-one-deployment.md. */
export const MOVE_COMMANDS: Readonly<Record<string, Command<Deps>>> = {
  'accounts move': {
    usage: 'accounts move ACCOUNT_ID --cell PLACE',
    does: 'move an account to another deployment; its writes stop for about 20 s. If interrupted, rerun',
    run: move,
  },
  'accounts move-abort': {
    usage: 'accounts move-abort ACCOUNT_ID --cell PLACE',
    does: 'give up a move that has not got to its end, and remove the copy',
    run: async (deps, given) => {
      const { account_id } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const cell = await cellOf(deps, given);
      const wiring = moveWiring(deps, cell, account_id, { move_id: '', to: '' });
      if (!(await wiring.marks.clear())) {
        throw new UsageError(`${account_id} has moved already. To bring it back, move it from there to here.`);
      }
      const progress = progressLine();
      let removed = 0;
      for await (const count of wiring.removeThere()) {
        removed += count;
        progress.show(() => `${removed} items removed`);
      }
      progress.done();
      return `${account_id} stays. ${removed} copied items were removed from the other deployment.`;
    },
  },
  'accounts move-finish': {
    usage: 'accounts move-finish ACCOUNT_ID --cell PLACE',
    does: 'half an hour or more after a move: bring what came late, and remove the data here. Rerun at any time',
    run: async (deps, given) => {
      const { account_id, move: moved } = await requireAccount(deps, needWord(given, 0, 'account id'));
      const cell = await cellOf(deps, given);
      if (!(await cell.accounts.account(account_id))) {
        throw new UsageError(`${account_id} is not open there. Rerun: npm run admin -- accounts move`);
      }
      const wiring = moveWiring(deps, cell, account_id, moved ?? { move_id: '', to: '' });
      const progress = progressLine();
      const { pending, removed } = await finishMove(
        { ...wiring, removeAll: wiring.removeHere, onProgress: (items) => progress.show(() => `${items} items`) },
        moved,
      ).finally(progress.done);
      return pending > 0
        ? `${pending} webhook deliveries are still on their way from here. Nothing was removed; rerun when they have arrived or been given up.`
        : `${removed} items removed. Callers with a key of ${account_id} still learn here that it has moved.`;
    },
  },
  'identity-key copy': {
    usage: 'identity-key copy --cell PLACE',
    does: 'let a new deployment without accounts name entities as this one does, so that accounts can move there',
    run: async (deps, given) => {
      const cell = await cellOf(deps, given);
      if ((await cell.accounts.listAccounts()).length > 0) {
        throw new UsageError('The other deployment has accounts, whose histories would not be found any more.');
      }
      await cell.identity.replaceKeys(await deps.identity.materials());
      return 'Functions there use these keys within 5 minutes. Next: npm run admin -- accounts move ACCOUNT_ID --cell PLACE';
    },
  },
};
