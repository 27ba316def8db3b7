import * as z from 'zod/mini';
import { type ErrorCode, STATUS } from '../domain/errors';

/** The body of every error response. */
export const errorBody = () =>
  z.object({
    error: z.object({
      code: z.enum(Object.keys(STATUS) as [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      request_id: z.string(),
      details: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
    }),
  });

/** What we noticed about a request that was carried out anyway; absent if there is nothing to say. */
export const warnings = () => z.optional(z.array(z.string()));
