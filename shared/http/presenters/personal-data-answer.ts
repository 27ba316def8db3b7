import type { ReviewCase } from '../../domain/cases/review-case';
import type { LinkGraph } from '../../domain/entities/entity-links';
import type { Erasure } from '../../domain/personal-data/erasure';
import type { UserExport } from '../../domain/personal-data/user-export';
import { caseId, decisionId } from '../../domain/screening/subjects/subject-id';
import type { AnswerOf } from '../../schemas/answer-of';
import type { linkGraph } from '../../schemas/links';
import type { erasure, userExport } from '../../schemas/personal-data';
import { caseAnswer } from './case-answer';
import { evidenceAnswer, listedDecisionAnswer } from './decision-answer';
import { riskProfileAnswer } from './risk-profile-answer';

export const linkGraphAnswer = ({ nodes, edges, truncated }: LinkGraph): AnswerOf<typeof linkGraph> => ({
  nodes,
  edges: edges.map(({ from, to, sinceMs }) => ({ from, to, since: new Date(sinceMs).toISOString() })),
  truncated,
});

/** An erasure, without anything about whom it erased. */
export const erasureAnswer = ({
  account_id: _own,
  evidence_until,
  looked_at,
  ...shown
}: Erasure): AnswerOf<typeof erasure> => ({
  ...shown,
  keeps_fraud_evidence: evidence_until !== null,
  items_checked: looked_at,
});

const linksOf = (links: LinkGraph | undefined) => (links === undefined ? null : linkGraphAnswer(links));
const casesOf = (cases: readonly ReviewCase[], atMs: number) => cases.map((each) => caseAnswer(each, atMs));

export const userExportAnswer = (exported: UserExport): AnswerOf<typeof userExport> => ({
  user_id: exported.user_id,
  exported_at: new Date(exported.atMs).toISOString(),
  profile: exported.profile === undefined ? null : riskProfileAnswer(exported.profile),
  decisions: exported.decisions.map((record) => listedDecisionAnswer(record, exported.kept.get(record.ulid))),
  evidence: [...exported.evidence].map(([ulid, evidence]) =>
    evidenceAnswer(decisionId(ulid), { evidence, isWithheld: false }),
  ),
  cases: casesOf(exported.cases, exported.atMs),
  comments: exported.comments.map(({ ulid, at, actor, text }) => ({ case_id: caseId(ulid), at, actor, text })),
  links: linksOf(exported.links),
  counters: exported.counters,
  list_entries: exported.listEntries.map(({ list, value, reason, expires_at, added_at }) => ({
    ...{ list, value, reason, expires_at, added_at },
  })),
  next_cursor: exported.nextCursor,
  ...(exported.isListing
    ? {}
    : { warnings: ['This account keeps no history: its decisions cannot be found by user and are not included.'] }),
});
