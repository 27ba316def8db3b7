import type * as z from 'zod/mini';

/** Answers are read-only all the way down: they are made from domain data, which is. */
type Frozen<Value> = Value extends object ? { readonly [Member in keyof Value]: Frozen<Value[Member]> } : Value;

/** What a schema of an answer describes. A type only: no function pays for the schema of its own answer. */
export type AnswerOf<Schema extends () => z.ZodMiniType> = Frozen<z.output<ReturnType<Schema>>>;
