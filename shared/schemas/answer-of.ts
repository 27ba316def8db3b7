import type * as z from 'zod/mini';

/** Responses are deeply read-only: they are made from domain data, which is. */
type Frozen<Value> = Value extends object ? { readonly [Member in keyof Value]: Frozen<Value[Member]> } : Value;

/** The type that a response schema describes. A type only: no function pays for its own response schema. */
export type AnswerOf<Schema extends () => z.ZodMiniType> = Frozen<z.output<ReturnType<Schema>>>;
