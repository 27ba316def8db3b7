import type { DeskChange, DeskEntry } from '../../domain/cases/desk-change';
import type { AuditEntry } from '../../domain/cases/outcome';
import type { SubjectHistory } from '../../domain/cases/timeline';
import { ClaimTaken, type IdempotencyRecord } from '../../domain/idempotency';
import { RETENTION_MS } from '../../domain/screening/subjects/screening-record';
import { ulidTimeMs } from '../../domain/ulid';
import { recordAnswerItem, unsealed } from '../idempotency-store';
import { AUDIT_SK, DESK_SK, deskEntryKey, subjectPk } from '../keys';
import { keptReader } from '../outcomes/kept-items';
import { toScreening } from '../screening/screening-reader';
import type { Table } from '../sdk/client';
import { putItem, queryPrefix } from '../sdk/table-calls';
import { transact } from '../sdk/transact';
import { auditOfCase, deskItems, toCase } from './case-items';
import { caseReader } from './case-store';

function toAudit(item: Record<string, unknown>): AuditEntry {
  const { pk, sk, entity, ttl, ...rest } = item;
  return rest as unknown as AuditEntry;
}

const numberOf = (sk: unknown): number => Number((sk as string).slice(AUDIT_SK.length));

/** The audit trail in order: its own items, and how the case was resolved. */
function auditsIn(items: readonly Record<string, unknown>[], found: Record<string, unknown> | undefined): AuditEntry[] {
  const own = items.map((item) => ({ number: numberOf(item.sk), audit: toAudit(item) }));
  const resolved = found && auditOfCase(found);
  const all = resolved ? [...own, resolved] : own;
  return all.sort((a, b) => a.number - b.number).map(({ audit }) => audit);
}

function toEntry(item: Record<string, unknown>): DeskEntry {
  const { pk, sk, entity, ttl, ...rest } = item;
  return rest as unknown as DeskEntry;
}

export function deskStore(table: Table) {
  return {
    find: caseReader(table).find,

    /** Whether it committed; false if the case changed in between and must be read again. */
    async save(accountId: string, change: DeskChange, nowMs: number, answer?: IdempotencyRecord): Promise<boolean> {
      const claim = answer ? [await recordAnswerItem(unsealed, accountId, answer, nowMs)] : [];
      const outcome = await transact(table, [...claim, ...deskItems(accountId, change)]);
      if (outcome.committed) return true;
      if (answer && outcome.failed.includes(0)) throw new ClaimTaken();
      return false;
    },

    /** Records something that changed nothing, such as a look at what was sent. */
    async note(accountId: string, ulid: string, entry: DeskEntry): Promise<void> {
      const ttl = Math.ceil((ulidTimeMs(ulid) + RETENTION_MS) / 1000);
      const Item = { ...deskEntryKey(accountId, ulid, entry.ulid), entity: 'desk-entry', ...entry, ttl };
      await putItem(table, Item);
    },

    async history(accountId: string, ulid: string): Promise<SubjectHistory> {
      const items = await queryPrefix(table, subjectPk(accountId, ulid));
      const under = (prefix: string) => items.filter(({ sk }) => (sk as string).startsWith(prefix));
      const [result, found] = [under('RESULT')[0], under('CASE')[0]];
      const record = result && toScreening(result);
      const kept = record?.kept_until_ms === undefined ? undefined : await keptReader(table).find(accountId, ulid);
      return {
        record,
        reviewCase: found && toCase(found),
        audits: auditsIn(under(AUDIT_SK), found),
        desk: under(DESK_SK).map(toEntry),
        kept,
      };
    },
  };
}
