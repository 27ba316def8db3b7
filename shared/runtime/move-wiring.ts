import { setTimeout as delay } from 'node:timers/promises';
import type { AccountMove } from '../domain/accounts/account-move';
import { accountCopier } from '../store/cells/account-copier';
import { openAccount } from '../store/cells/account-opener';
import { removeAccountItems } from '../store/cells/account-remover';
import { cellTable } from '../store/cells/cell-table';
import { changeFeed } from '../store/cells/change-feed';
import { lateItems } from '../store/cells/late-items';
import { moveMarks } from '../store/cells/move-marks';
import type { AdminWiring } from './admin-wiring';
import { newUlid } from './ids';

const RATE_LIMIT_KEY_BYTES = 24;

/** Everything needed to move an account from one deployment to another, for the command line and tests. */
export function moveWiring(source: AdminWiring, target: AdminWiring, accountId: string, move: AccountMove) {
  const { clock } = source;
  const ends = {
    source: { table: cellTable(source.table), sealer: source.dataKey.sealer },
    target: { table: cellTable(target.table), sealer: target.dataKey.sealer },
  };
  const newMark = (): string => newUlid(clock.now());
  const copier = accountCopier({ accountId, ...ends, newMark });
  const changes = changeFeed({ streams: source.streams, table: source.table, accountId, clock });
  const late = lateItems({
    accountId,
    moveId: move.move_id,
    source: source.table,
    target: target.table,
    newMark,
  });
  return {
    clock,
    wait: (ms: number) => delay(ms),
    marks: moveMarks(source.table, accountId),
    changes,
    copier,
    late,
    foldSteps: late.foldSteps,
    /** Keys of a gateway are unique in it, so that the account gets a new one there, or keeps the one it got before. */
    open: async (): Promise<void> => {
      const known = await target.accounts.account(accountId);
      const rate_limit_key =
        known?.rate_limit_key ?? Buffer.from(target.randomBytes(RATE_LIMIT_KEY_BYTES)).toString('hex');
      const rate_limit_key_id = await target.ensureRateLimitKey(accountId, rate_limit_key);
      await openAccount(accountId, ends.source, ends.target, { rate_limit_key, rate_limit_key_id });
    },
    removeHere: () => removeAccountItems(source.table, accountId),
    removeThere: () => removeAccountItems(target.table, accountId),
  };
}
