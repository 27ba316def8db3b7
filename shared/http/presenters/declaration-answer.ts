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

const STAMPS = ['note', 'created_at', 'updated_at', 'updated_by'] as const;

/** Exactly these members, whatever else the table holds. */
const only = <Of extends object, Name extends keyof Of>(of: Of, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, of[name]])) as Pick<Of, Name>;

export const attributeAnswer = (of: ShownAttribute, warnings: readonly string[] = []): AnswerOf<typeof attribute> => ({
  ...only(of, ['key', 'type', 'entity', ...STAMPS]),
  ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
});

export const attributeListAnswer = (all: readonly ShownAttribute[]): AnswerOf<typeof attributeList> => ({
  attributes: all.map((each) => attributeAnswer(each)),
});

export const eventTypeAnswer = (of: EventTypeDeclaration): AnswerOf<typeof eventType> => ({
  ...only(of, ['name', 'amount', 'required', 'review_threshold', 'block_threshold', ...STAMPS]),
  built_in: false,
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
  ...only(of, ['name', 'of', 'count', 'value', 'by', 'window', 'where', 'version', 'since', ...STAMPS]),
  write_units: WRITE_UNITS,
});

export const counterListAnswer = (all: readonly CounterDeclaration[]): AnswerOf<typeof counterList> => ({
  counters: all.map(counterAnswer),
});
