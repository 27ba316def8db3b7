import { byAccount, TEACHING_RULE } from '../../domain/models/account-shares';
import { contentVersion } from '../../domain/models/artefact-blob';
import { scoreShares } from '../../domain/models/evaluation/calibration';
import { modelMetrics } from '../../domain/models/evaluation/model-metrics';
import type { ModelArtefact, ModelCard } from '../../domain/models/model-artefact';
import { PROMOTION_RULE } from '../../domain/models/promotion-rule';
import { modelParts, serves } from '../../domain/models/scoring-model';
import { holdOut, whyNotYet } from '../../domain/models/training-rule';
import { summaryOf } from './compare-models';
import type { LabelledRow } from './labelled-rows';
import type { HeldOutRows, MadeModel } from './model-files';

/** Accounts that learn together, what scores for them now, and what was made of them: absent where they keep what they have. */
export interface Group {
  readonly rows: readonly LabelledRow[];
  readonly parent: ModelArtefact | undefined;
  readonly made?: MadeModel;
}

/**
 * Who learns together: everybody, but of two accounts each learns from its own labels alone, once they are enough. Nobody could say which of two
 * that differ is wrong, and nobody has to: the labels of one never reach the scores of the other. Where the champion has parts, three or four
 * accounts learn with those of their part, and newcomers join the first.
 */
export function groupsOf(rows: readonly LabelledRow[], champion: ModelArtefact | undefined): Group[] {
  const accounts = [...byAccount(rows)];
  const isPair = accounts.length === 2;
  const isShared = accounts.length >= TEACHING_RULE.shared_from;
  if (isShared || (!isPair && champion?.apart === undefined)) return [{ rows, parent: champion }];
  const alone = new Set(accounts.flatMap(([id, own]) => (isPair && tooFewApart(own) === undefined ? [id] : [])));
  const parts = champion === undefined ? [] : modelParts(champion);
  const groups = new Map<string | number, { rows: LabelledRow[]; parent: ModelArtefact | undefined }>();
  for (const row of rows) {
    const { account_id } = row;
    const at = parts.findIndex((part) => serves(part, account_id));
    const key = alone.has(account_id) ? account_id : Math.max(0, at);
    // To whom no part is known, no label is either.
    const group = groups.get(key) ?? { rows: [], parent: parts[alone.has(account_id) ? at : Math.max(0, at)] };
    groups.set(key, group);
    group.rows.push(row);
  }
  return [...groups.values()];
}

const NEVER = { last_training: null };

/** Why a group's labels are too few for a model of their own; undefined if they are not. */
export const tooFewApart = (rows: readonly LabelledRow[]): string | undefined =>
  whyNotYet({ ...summaryOf(rows), since_training: 0, fraud_since_training: 0 }, NEVER);

/** Whether a group has enough labels for a model of its own, and enough that are new to the one it has. */
export const canLearn = ({ rows, parent }: Group): boolean =>
  tooFewApart(rows) === undefined && holdOut(rows, parent) !== undefined;

/** Whether a model of one's own says anything: otherwise its account keeps what it has. */
const isOfUse = ({ artefact }: MadeModel): boolean => (artefact.card.holdout?.auc ?? 0) >= PROMOTION_RULE.least_auc;

export function trainGroups(
  groups: readonly Group[],
  trainOn: (rows: readonly LabelledRow[], parent: ModelArtefact | undefined) => MadeModel,
): Group[] {
  const isOne = groups.length === 1;
  return groups.map((group) => {
    if (!(isOne ? holdOut(group.rows, group.parent) : canLearn(group))) return group;
    const made = trainOn(group.rows, group.parent);
    return isOne || isOfUse(made) ? { ...group, made } : group;
  });
}

/**
 * The groups' models as one; undefined if none was trained. Whom the champion serves and none of them does, keeps the part it has:
 * nobody has to wait for labels that an account does not give.
 */
export function asOne(groups: readonly Group[], champion: ModelArtefact | undefined): MadeModel | undefined {
  const made = groups.flatMap((group) => group.made ?? []);
  const [first] = made;
  if (first?.artefact.audience === undefined) return first;
  const kept = keptParts(made, champion);
  if (made.length + kept.length === 1) return first;
  const [{ version, ...main }, ...others] = made.map(({ artefact }) => artefact) as [ModelArtefact, ...ModelArtefact[]];
  const apart = [...others, ...kept];
  const audience = [main, ...apart].flatMap((part) => part.audience ?? []).sort((a, b) => a - b);
  const heldOut = joined(made.flatMap((each) => each.heldOut ?? []));
  const card = made.length === 1 ? main.card : cardOf([main.card, ...others.map(({ card }) => card)], heldOut);
  const content = { ...main, audience, apart, card };
  return {
    artefact: { version: contentVersion(version.replace(/-[^-]*$/, ''), content), ...content },
    text: made.map(({ text }) => text).join('\n'),
    heldOut,
  };
}

function keptParts(made: readonly MadeModel[], champion: ModelArtefact | undefined): ModelArtefact[] {
  if (champion?.audience === undefined) return [];
  const served = new Set(made.flatMap(({ artefact }) => artefact.audience ?? []));
  return modelParts(champion).flatMap((part) => {
    const audience = (part.audience ?? []).filter((scope) => !served.has(scope));
    return audience.length === 0 ? [] : [{ ...part, audience }];
  });
}

/** Held-out rows of several models, in the order of time. */
function joined(all: readonly HeldOutRows[]): HeldOutRows {
  const said = all
    .flatMap((one) => one.rows.map((row, i) => ({ row, one, i })))
    .sort((a, b) => a.row.screened_at_ms - b.row.screened_at_ms);
  return {
    rows: said.map(({ row }) => row),
    scores: Uint8Array.from(said, ({ one, i }) => one.scores[i] as number),
    probabilities: Float64Array.from(said, ({ one, i }) => one.probabilities[i] as number),
    expected: Float64Array.from(said, ({ one, i }) => one.expected[i] as number),
  };
}

/** How good they are together; what they look at is said of the first. */
function cardOf([first, ...others]: readonly ModelCard[], heldOut: HeldOutRows): ModelCard {
  const labels = { ...(first as ModelCard).labels };
  for (const each of others) {
    labels.fraud += each.labels.fraud;
    labels.legitimate += each.labels.legitimate;
  }
  const holdout = modelMetrics({ ...heldOut, labels: Uint8Array.from(heldOut.rows, ({ label }) => label) });
  return { ...(first as ModelCard), labels, holdout, score_shares: scoreShares(heldOut.scores) };
}
