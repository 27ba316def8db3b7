import type { KnownLabel } from '../../domain/entities/entity-history';
import { bucketIndex } from '../../domain/entities/kind-spec';
import type { NewLabel } from '../../domain/outcomes/kept-change';
import {
  addTo,
  finishUpdate,
  removeName,
  setFrom,
  setOnce,
  setValue,
  startUpdate,
  type UpdateBuilder,
} from '../sdk/update-builder';
import type { Unconditional } from './earn-update';
import { expirySeconds, NAME } from './entity-attributes';
import { addFamiliarity, type Labelled } from './familiarity-update';
import { streakName } from './item-reading';
import { bucketName, LABEL_LEVELS, type Level } from './time-buckets';

/** Labels may arrive this long after an entity last recorded an attempt: as long as its screenings are kept. */
const REACH_MS = 90 * 86_400_000;

/** How many of the newest stale buckets an update of labels removes, and how many of the others. */
const STALE_PER_TURN = 2;

const isFraud = ({ label }: NewLabel): number => (label === 'fraud' ? 1 : 0);
const isLegitimate = ({ label }: NewLabel): number => (label === 'legitimate' ? 1 : 0);

/** A label's weight in a bucket: one to the labels, and for fraud one to the upper count as well. */
const weight = (label: NewLabel, { countDigits }: Level): number =>
  label.label === 'none' ? 0 : isFraud(label) * 10 ** countDigits + 1;

interface Remembered {
  index: number;
  names: readonly string[];
}

const remembered = new Map<Level, Remembered>(LABEL_LEVELS.map((level) => [level, { index: -1, names: [] }]));

/**
 * Buckets that have left the window and may have been filled since the last recorded attempt: the newest, and some of the
 * others by turns, so that each of them comes up within a month of labels. Naming all of them in every update would make
 * it eight times as long, and a database takes as much time for a name that is not there as for one that is.
 */
function staleBuckets(level: Level, index: number): readonly string[] {
  const known = remembered.get(level);
  if (known?.index === index) return known.names;
  const older = Math.ceil(REACH_MS / level.bucketMs) - level.live + 1 - STALE_PER_TURN;
  const ages = Array.from({ length: STALE_PER_TURN }, (_, age) => [
    age,
    STALE_PER_TURN + ((index * STALE_PER_TURN + age) % older),
  ]).flat();
  const names = ages.map((age) => bucketName(level, index - level.live - age));
  remembered.set(level, { index, names });
  return names;
}

function withoutCondition(builder: UpdateBuilder): Unconditional {
  const { ConditionExpression: _, ...params } = finishUpdate(builder, '');
  return params;
}

function countLabel(label: NewLabel, replaced: KnownLabel | undefined): UpdateBuilder {
  const builder = startUpdate();
  const add = (name: string, delta: number): void => {
    if (delta !== 0) addTo(builder, name, { N: `${delta}` });
  };
  setFrom(builder, NAME.ttl, NAME.listed, { N: `${expirySeconds(label.known_at_ms)}` });
  // Which label was the last before one that is withdrawn, nobody can tell.
  if (label.label === 'none') removeName(builder, NAME.lastLabel);
  else setValue(builder, NAME.lastLabel, { N: `${isFraud(label)}` });
  if (label.label === 'fraud') {
    setOnce(builder, streakName(label.known_at_ms), { N: `${Math.floor(label.known_at_ms / 1000)}` });
    removeName(builder, streakName(label.known_at_ms, 2));
  }
  add(NAME.fraud, isFraud(label) - (replaced ? isFraud(replaced) : 0));
  add(NAME.legitimate, isLegitimate(label) - (replaced ? isLegitimate(replaced) : 0));
  for (const level of LABEL_LEVELS) {
    const index = bucketIndex(level, label.known_at_ms);
    const undone = replaced && bucketIndex(level, replaced.known_at_ms);
    if (replaced && undone === index) {
      add(bucketName(level, index), weight(label, level) - weight(replaced, level));
    } else {
      add(bucketName(level, index), weight(label, level));
      if (replaced && undone !== undefined && index - undone < level.live) {
        add(bucketName(level, undone), -weight(replaced, level));
      }
    }
  }
  return builder;
}

/**
 * Counts an outcome that a person confirmed, by the time it became known. A label that replaces another takes that one
 * back from the buckets it was counted in, unless they have left every window. Stale buckets do not wait for the next
 * trim: labels may arrive for weeks after the last attempt, and the item must stay small. The update has no
 * condition: send it in a transaction (with a client token) together with what makes the label true.
 */
export function labelUpdate(label: KnownLabel, replaced?: KnownLabel): Unconditional {
  return withoutCondition(removeStale(countLabel(label, replaced), label));
}

function removeStale(builder: UpdateBuilder, label: NewLabel): UpdateBuilder {
  for (const level of LABEL_LEVELS) {
    for (const name of staleBuckets(level, bucketIndex(level, label.known_at_ms))) removeName(builder, name);
  }
  return builder;
}

/**
 * Counts the label of a screening on one of its entities, and gives or takes what the attempt made familiar: both are one
 * update, because a transaction takes one per item. A store that drops stale buckets by itself needs a tenth of the names.
 */
export function outcomeUpdate(labelled: Labelled, entity: string, dropsStale = false): Unconditional {
  const builder = countLabel(labelled.label, labelled.previousLabel);
  addFamiliarity(builder, labelled, entity);
  return withoutCondition(dropsStale ? builder : removeStale(builder, labelled.label));
}
