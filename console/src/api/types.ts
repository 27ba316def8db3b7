import type * as z from 'zod/mini';
import type { CASE_STATUSES, caseList, reviewCase } from '../../../shared/schemas/case';
import type { attributeList, counterList, eventTypeList } from '../../../shared/schemas/declaration';
import type { apiKeys, caseResults, me, timeline } from '../../../shared/schemas/desk';
import type { linkGraph } from '../../../shared/schemas/links';
import type { addedEntries, entryPage, list, listCollection } from '../../../shared/schemas/list';
import type { overview } from '../../../shared/schemas/overview';
import type { ruleList, ruleTest, ruleVersions } from '../../../shared/schemas/rule';
import type { decisionList, evidence, reportedDecision, riskProfile } from '../../../shared/schemas/screening';

/* The answers of the API, from the schemas that the API itself is built from. */

type Answer<Schema extends () => z.ZodMiniType> = z.infer<ReturnType<Schema>>;

export type CaseStatus = (typeof CASE_STATUSES)[number];
export type ReviewCase = Answer<typeof reviewCase>;
export type CaseList = Answer<typeof caseList>;
export type Me = Answer<typeof me>;
export type ApiKey = Answer<typeof apiKeys>['keys'][number];
export type TimelineEntry = Answer<typeof timeline>['entries'][number];
export type CaseResult = Answer<typeof caseResults>['results'][number];
export type Decision = Answer<typeof reportedDecision>;
export type DecisionPage = Answer<typeof decisionList>;
export type ListedDecision = DecisionPage['decisions'][number];
export type Evidence = Answer<typeof evidence>;
export type LinkGraph = Answer<typeof linkGraph>;
export type Contribution = Decision['explanation']['contributions'][number];
export type RiskProfile = Answer<typeof riskProfile>;
export type Overview = Answer<typeof overview>;
export type Outcome = 'approved' | 'rejected';
export type List = Answer<typeof list>;
export type Lists = Answer<typeof listCollection>;
export type EntryPage = Answer<typeof entryPage>;
export type ListEntry = EntryPage['entries'][number];
export type AddedEntries = Answer<typeof addedEntries>;
export interface Declarations {
  readonly attributes: Answer<typeof attributeList>['attributes'];
  readonly event_types: Answer<typeof eventTypeList>['event_types'];
  readonly counters: Answer<typeof counterList>['counters'];
}
export type RuleList = Answer<typeof ruleList>;
export type Rule = RuleList['rules'][number];
export type RuleVersions = Answer<typeof ruleVersions>;
export type RuleVersion = RuleVersions['versions'][number];
export type RuleTrial = Answer<typeof ruleTest>;
/** The part of a rule that a person edits. */
export type RuleBody = Pick<
  Rule,
  | 'expression'
  | 'action'
  | 'points'
  | 'priority'
  | 'state'
  | 'rollout_percent'
  | 'expires_at'
  | 'note'
  | 'override_labels'
> & { readonly applies_to: Rule['applies_to'] | null };
