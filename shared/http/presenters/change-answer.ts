import { isEvent, isTransaction } from '../../domain/screening/subjects/screening-record';
import type { Change } from '../../domain/webhooks/webhook-event';
import { caseAnswer } from './case-answer';
import { decisionAnswer } from './decision-answer';
import { listChangeAnswer } from './list-answer';
import { ruleChangeAnswer } from './rule-answer';
import { eventAnswer, transactionAnswer } from './screening-answer';

/** The subject of a change, as its GET returned it at the given time: the `data` of webhook messages. */
export function changeAnswer(change: Change, atMs: number) {
  switch (change.kind) {
    case 'screened': {
      const { record } = change;
      if (isTransaction(record)) return transactionAnswer(record);
      if (isEvent(record)) return eventAnswer(record);
      throw new Error(`A screening of an unknown type: ${record.subject_type}`);
    }
    case 'reviewed':
      return decisionAnswer(change.record);
    case 'case_opened':
    case 'case_resolved':
      return caseAnswer(change.reviewCase, atMs);
    case 'list_changed':
      return listChangeAnswer(change.listChange);
    case 'rule_changed':
      return ruleChangeAnswer(change.version);
    default:
      return change satisfies never;
  }
}
