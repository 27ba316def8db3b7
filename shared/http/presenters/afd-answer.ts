import type { AccountSettings } from '../../domain/accounts/account';
import {
  type AfdRule,
  detectorNames,
  eventTypeNames,
  type OwnPolicy,
  scoreName,
  thresholdRule,
  thresholdRules,
  variableNames,
} from '../../domain/afd/afd-catalogue';
import type { StoredAfdEvent } from '../../domain/afd/afd-event';
import { type AfdMapping, labelOfName, nameOfLabel } from '../../domain/afd/afd-mapping';
import { insightScore } from '../../domain/afd/afd-score';
import { type AfdPaging, type AfdTypeKind, type AfdTypes, ownTypeName, pageOf } from '../../domain/afd/afd-types';
import { type Label, labelOf } from '../../domain/cases/outcome';
import { logOddsOf } from '../../domain/screening/score';
import type { ScreeningRecord } from '../../domain/screening/subjects/screening-record';

/* Answers to Amazon Fraud Detector's client, by its own names. */

const MODEL_TYPE = 'TRANSACTION_FRAUD_INSIGHTS';
const VERSION = '1';

const outcomeOf = ({ automated_decision }: ScreeningRecord, mapping: AfdMapping): string =>
  mapping.outcomes[automated_decision];

const ruleOf = ({ automated_decision, decided_by }: ScreeningRecord): string =>
  decided_by?.name ?? thresholdRule(automated_decision);

export const predictionAnswer = (record: ScreeningRecord, mapping: AfdMapping) => ({
  modelScores: [
    {
      modelVersion: { modelId: mapping.model, modelType: MODEL_TYPE, modelVersionNumber: record.model_version },
      scores: { [scoreName(mapping)]: insightScore(record.risk_score) },
    },
  ],
  ruleResults: [{ ruleId: ruleOf(record), outcomes: [outcomeOf(record, mapping)] }],
  externalModelOutputs: [],
});

interface AskedEvent {
  readonly eventId: string;
  readonly eventTypeName: string;
}

/** Of the variables only those that the result itself holds: what else was sent is not kept. */
function keptVariables(
  { amount, currency }: ScreeningRecord,
  { amount_from, currency_from }: StoredAfdEvent,
): Record<string, string> {
  return {
    ...(amount === undefined || amount_from === undefined ? {} : { [amount_from]: String(amount) }),
    ...(currency === undefined || currency_from === undefined ? {} : { [currency_from]: currency }),
  };
}

/** As it was stated, unless somebody has reviewed the event otherwise since. */
const labelName = (label: Label, stated: string | undefined, mapping: AfdMapping): string =>
  stated !== undefined && labelOfName(stated, mapping) === label ? stated : nameOfLabel(label, mapping);

export const eventAnswerOfAfd = (
  { eventId, eventTypeName }: AskedEvent,
  { event, record }: { readonly event: StoredAfdEvent; readonly record: ScreeningRecord },
  mapping: AfdMapping,
) => ({
  event: {
    eventId,
    eventTypeName,
    eventTimestamp: event.event_timestamp,
    eventVariables: keptVariables(record, event),
    entities: [{ entityType: event.entity_type, entityId: record.user_id }],
    ...(record.review
      ? {
          currentLabel: labelName(labelOf(record.review.decision), event.label_name, mapping),
          labelTimestamp: record.review.reviewed_at,
        }
      : {}),
  },
});

/** The end of Amazon's impact scale, in either direction. */
const MOST_IMPACT = 5;

/** Points as impacts: relative to the largest, and as a share of the log-odds between base and score. */
function impacts({ base, risk_score, contributions }: ScreeningRecord) {
  const bounded = (score: number) => logOddsOf(Math.min(99.6, Math.max(0.4, score)));
  const moved = bounded(risk_score) - bounded(base);
  const total = risk_score - base;
  const largest = Math.max(1, ...contributions.map(({ points }) => Math.abs(points)));
  return contributions.map(({ signal, points }) => ({
    eventVariableNames: [signal],
    relativeImpact: String(Math.round((MOST_IMPACT * points) / largest)),
    logOddsImpact: total === 0 ? 0 : (moved * points) / total,
  }));
}

interface AskedPrediction extends AskedEvent {
  readonly detectorId: string;
  readonly detectorVersionId: string;
}

/** The account's rules and lists that matched, without their expressions, which may have changed since. */
const ownMatches = ({ rules = [], lists = [], decided_by, ...record }: ScreeningRecord, mapping: AfdMapping) => [
  ...rules.map(({ name, version, action }) => ({
    ...{ ruleId: name, ruleVersion: String(version), evaluated: true, matched: true },
    outcomes: action === 'points' ? [] : [mapping.outcomes[action]],
  })),
  ...lists.map((name) => ({
    ...{ ruleId: name, ruleVersion: VERSION, evaluated: true, matched: true },
    outcomes:
      decided_by?.kind === 'list' && decided_by.name === name ? [mapping.outcomes[record.automated_decision]] : [],
  })),
];

export function predictionMetadataAnswer(
  asked: AskedPrediction,
  { event, record }: { readonly event: StoredAfdEvent; readonly record: ScreeningRecord },
  mapping: AfdMapping,
  settings: AccountSettings,
) {
  const variables = Object.entries(keptVariables(record, event));
  return {
    eventId: asked.eventId,
    eventTypeName: asked.eventTypeName,
    entityId: record.user_id,
    entityType: event.entity_type,
    eventTimestamp: event.event_timestamp,
    detectorId: asked.detectorId,
    detectorVersionId: asked.detectorVersionId,
    detectorVersionStatus: 'ACTIVE',
    eventVariables: variables.map(([name, value]) => ({ name, value, source: 'EVENT' })),
    rules: [
      ...ownMatches(record, mapping),
      ...thresholdRules(mapping, record.thresholds ?? settings).map(({ description: _, ...rule }) => ({
        ...rule,
        evaluated: true,
        matched: rule.ruleId === ruleOf(record),
      })),
    ],
    ruleExecutionMode: 'FIRST_MATCHED',
    outcomes: [outcomeOf(record, mapping)],
    evaluatedModelVersions: [
      {
        modelId: mapping.model,
        modelVersion: record.model_version,
        modelType: MODEL_TYPE,
        evaluations: [
          {
            outputVariableName: scoreName(mapping),
            evaluationScore: String(insightScore(record.risk_score)),
            predictionExplanations: { aggregatedVariablesImpactExplanations: impacts(record) },
          },
        ],
      },
    ],
    evaluatedExternalModels: [],
    predictionTimestamp: new Date(record.screened_at_ms).toISOString(),
  };
}

export const detectorsAnswer = (name: string | undefined, mapping: AfdMapping, { rules, lists }: OwnPolicy) => ({
  detectors: (name === undefined ? detectorNames(mapping) : [name]).map((detectorId) => ({
    detectorId,
    description: `Model, signals and thresholds of this account; active rules: ${rules.length}; lists in force: ${lists.length}`,
    eventTypeName:
      eventTypeNames(mapping).find((type) => mapping.event_types?.[type]?.detector === detectorId) ??
      eventTypeNames(mapping)[0],
  })),
});

/** An event type that was not declared by this client, in Amazon's form. */
const understoodType = (name: string, mapping: AfdMapping) => ({
  name,
  eventVariables: variableNames(name, mapping),
  labels: [nameOfLabel('fraud', mapping), nameOfLabel('legitimate', mapping)],
  entityTypes: mapping.event_types?.[name]?.entity_types ?? ['customer'],
  eventIngestion: 'ENABLED',
});

interface TypeList {
  readonly accountId: string;
  readonly region: string;
  readonly types: AfdTypes;
  readonly otherNames: readonly string[];
  readonly mapping: AfdMapping;
}

const LISTS = {
  variable: 'variables',
  'event-type': 'eventTypes',
  'entity-type': 'entityTypes',
  label: 'labels',
} as const;

/** A page of the types that Amazon's client declared; event types include all others as well. */
export function typesAnswer(
  kind: AfdTypeKind,
  asked: AfdPaging,
  { accountId, region, types, otherNames, mapping }: TypeList,
) {
  const kept = types[kind].map((each) => ({
    ...each,
    arn: `arn:aws:frauddetector:${region}:${accountId}:${kind}/${each.name}`,
  }));
  const isKept = (name: string): boolean => kept.some((each) => ownTypeName(each.name) === ownTypeName(name));
  const more = [...new Set(otherNames)].filter((name) => !isKept(name));
  const { page, nextToken } = pageOf(kind, [...kept, ...more.map((name) => understoodType(name, mapping))], asked);
  return { [LISTS[kind]]: page, nextToken };
}

export const rulesAnswer = (detectorId: string, rules: readonly AfdRule[]) => ({
  ruleDetails: rules.map((rule) => ({ ...rule, detectorId, language: 'DETECTORPL' })),
});

const DESCRIPTIONS = {
  allow: 'Accept',
  challenge: 'Ask for a second factor or 3-D Secure, then proceed',
  review: 'Hold for review; a case is open',
  block: 'Decline',
} as const;

export const outcomesAnswer = (name: string | undefined, { outcomes }: AfdMapping) => ({
  outcomes: (['allow', 'challenge', 'review', 'block'] as const)
    .map((decision) => ({ name: outcomes[decision], description: DESCRIPTIONS[decision] }))
    .filter((outcome) => name === undefined || outcome.name === name),
});
