import type { CounterDeclaration, EventTypeDeclaration, ShownAttribute } from '../../domain/declarations/declaration';
import { EVENT_ACTIONS } from '../../domain/entities/entity-history';
import type { AnswerOf } from '../../schemas/answer-of';
import type {
  attribute,
  attributeList,
  counter,
  counterList,
  eventType,
  eventTypeList,
} from '../../schemas/declaration';

/** Exactly the members of the answer, whatever else the table holds. */
export const attributeAnswer = (of: ShownAttribute, warnings: readonly string[] = []): AnswerOf<typeof attribute> => ({
  key: of.key,
  type: of.type,
  entity: of.entity,
  note: of.note,
  created_at: of.created_at,
  updated_at: of.updated_at,
  updated_by: of.updated_by,
  ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
});

export const attributeListAnswer = (all: readonly ShownAttribute[]): AnswerOf<typeof attributeList> => ({
  attributes: all.map((each) => attributeAnswer(each)),
});

export const eventTypeAnswer = (of: EventTypeDeclaration): AnswerOf<typeof eventType> => ({
  name: of.name,
  built_in: false,
  amount: of.amount,
  required: [...of.required],
  review_threshold: of.review_threshold,
  block_threshold: of.block_threshold,
  note: of.note,
  created_at: of.created_at,
  updated_at: of.updated_at,
  updated_by: of.updated_by,
});

const builtIn = (name: string): AnswerOf<typeof eventType> => ({
  ...{ name, built_in: true, amount: 'none', required: [], review_threshold: null, block_threshold: null },
  ...{ note: null, created_at: null, updated_at: null, updated_by: null },
});

/** Built-in ones first. */
export const eventTypeListAnswer = (own: readonly EventTypeDeclaration[]): AnswerOf<typeof eventTypeList> => ({
  event_types: [...EVENT_ACTIONS.map(builtIn), ...own.map(eventTypeAnswer)],
});

/** One item below 1 KB per attempt that it counts. */
const WRITE_UNITS = 1;

export const counterAnswer = (of: CounterDeclaration): AnswerOf<typeof counter> => ({
  name: of.name,
  of: [...of.of],
  count: of.count,
  value: of.value,
  by: [...of.by],
  window: of.window,
  where: of.where,
  note: of.note,
  version: of.version,
  since: of.since,
  write_units: WRITE_UNITS,
  created_at: of.created_at,
  updated_at: of.updated_at,
  updated_by: of.updated_by,
});

export const counterListAnswer = (all: readonly CounterDeclaration[]): AnswerOf<typeof counterList> => ({
  counters: all.map(counterAnswer),
});
