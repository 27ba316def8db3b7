import type { Label } from '../../../shared/domain/cases/outcome';
import { screenedCounters } from '../../../shared/domain/overview/overview-counters';
import { isSampled } from '../../../shared/domain/screening/subjects/record-members';
import type { ScreeningRecord } from '../../../shared/domain/screening/subjects/screening-record';
import { PUBLIC_PSEUDONYMS } from '../../../shared/runtime/stand-ins/screening-stand-ins';
import type { TestRuleDeps } from '../../../shared/usecases/rules/test-rule';
import { openCase } from '../webhooks/changes';
import { memoryCases } from './memory-cases';
import { memoryOverview } from './memory-overview';
import { memoryDecisions } from './memory-screenings';

/** Stored traffic as tests of rules read it: screenings, labels, cases and counts of any account. */
export function memoryTraffic(nowMs: number) {
  const records = new Map<string, ScreeningRecord[]>();
  const labels = new Map<string, Label>();
  const cases = memoryCases();
  const counts = memoryOverview();
  let changes = 0;
  const ofAccount = (accountId: string): ScreeningRecord[] => records.get(accountId) ?? [];
  const get = (accountId: string, ulid: string) => ofAccount(accountId).find((each) => each.ulid === ulid);
  const deps: TestRuleDeps = {
    clock: { now: () => nowMs },
    pseudonyms: () => PUBLIC_PSEUDONYMS,
    counts,
    cases,
    decisions: memoryDecisions({ ofAccount, get }, { get: () => undefined }),
    labels: {
      async recent(accountId, { from, before }, limit) {
        const found = ofAccount(accountId)
          .filter((record) => isSampled(record) || labels.has(record.ulid))
          .map(({ ulid }) => ulid)
          .filter((ulid) => ulid >= from && ulid < before)
          .sort()
          .reverse();
        const some = found.slice(0, limit).map((ulid) => ({ ulid, label: labels.get(ulid) }));
        return { labels: some, isCut: found.length >= limit };
      },
    },
  };
  return {
    deps,
    async add(accountId: string, record: ScreeningRecord, label?: Label): Promise<void> {
      records.set(accountId, [...ofAccount(accountId), record]);
      const { ulid, screened_at_ms: at_ms } = record;
      if (label) labels.set(ulid, label);
      if (record.automated_decision === 'review') cases.put(accountId, openCase(at_ms, { ulid }));
      const part = { account_id: accountId, at_ms, counters: screenedCounters(record) };
      const intervals = (['hour', 'day'] as const).map((interval) => ({ ...part, interval }));
      await counts.add('shard', changes === 0 ? undefined : `${changes}`, `${++changes}`, intervals);
    },
  };
}
