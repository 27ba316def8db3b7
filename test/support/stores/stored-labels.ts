import type { StoredLabel } from '../../../shared/domain/models/stored-label';

/** Labels of accounts in memory, as a training reads them, and the tallies of a quiet shadow period. */
export const trainingPorts = (stored: ReadonlyMap<string, readonly StoredLabel[]>) => ({
  labels: {
    accounts: async () => [...stored.keys()],
    storedInMonth: async (account: string, month: string) =>
      (stored.get(account) ?? []).filter(({ labeled_at }) => labeled_at.startsWith(month)),
  },
  tallies: { find: async () => ({ screened: 500, silent: 0, champion_stopped: 25, shadow_stopped: 25 }) },
});
