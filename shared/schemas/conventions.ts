import * as z from 'zod/mini';
import { type ErrorCode, STATUS } from '../domain/errors';

export const errorBody = () =>
  z.object({
    error: z.object({
      code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      request_id: z.string(),
      details: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
    }),
  });

/** Remarks about a request that was carried out anyway; absent if there are none. */
export const warnings = () => z.optional(z.array(z.string()));

const WHOLE = /^\d{1,9}$/;
const isWholeBetween = (least: number, most: number) => (value: string) =>
  WHOLE.test(value) && Number(value) >= least && Number(value) <= most;

const MAX_OFFSET = 999_999_999;

/** How many entries a page has; 20 if absent. */
export const limit = () =>
  z.optional(z.string().check(z.refine(isWholeBetween(1, 100), 'must be an integer from 1 to 100')));

export const offset = () =>
  z.optional(z.string().check(z.refine(isWholeBetween(0, MAX_OFFSET), 'must be an integer of at least 0')));

/** An offset into a list that must read what it skips. */
export const boundedOffset = (most: number) =>
  z.optional(z.string().check(z.refine(isWholeBetween(0, most), `must be an integer from 0 to ${most}`)));

export const cursor = () => z.optional(z.string().check(z.minLength(1), z.maxLength(512)));

export const nextCursor = () => z.nullable(z.string());

export const DEFAULT_LIMIT = 20;
