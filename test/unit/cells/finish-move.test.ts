import type { AccountMove } from '../../../shared/domain/accounts/account-move';
import { finishMove } from '../../../shared/usecases/accounts/finish-move';

describe('finishing a move', () => {
  const finishing = (pending: number, nowMs: number) => {
    let removed = 0;
    const deps = {
      clock: { now: () => nowMs },
      late: {
        async *bringAll() {
          yield { brought: 2, pending };
        },
        addOverview: async () => 0,
      },
      async *removeAll() {
        removed += 1;
        yield 7;
      },
      onProgress: () => undefined,
    };
    return { deps, removed: () => removed };
  };
  const moved: AccountMove = { move_id: 'm', to: 'https://right/', moved_at_ms: 0 };

  it('removes the data where it was', async () => {
    const { deps } = finishing(0, 3_600_000);
    expect(await finishMove(deps, moved)).toEqual({ pending: 0, removed: 7 });
  });

  it('removes nothing while deliveries are on their way, too early, or before the account has moved', async () => {
    const busy = finishing(3, 3_600_000);
    expect(await finishMove(busy.deps, moved)).toEqual({ pending: 3, removed: 0 });
    const early = finishing(0, 60_000);
    await expect(finishMove(early.deps, moved)).rejects.toThrow('29 min');
    await expect(finishMove(early.deps, { move_id: 'm', to: '' })).rejects.toThrow('has not moved');
    expect(busy.removed() + early.removed()).toBe(0);
  });
});
