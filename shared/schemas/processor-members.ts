import * as z from 'zod/mini';
import { CHECK_RESULTS, DECLINE_REASONS, THREE_D_SECURE_RESULTS } from '../domain/outcomes/processor-word';

/** The members that only a processor states. */
export const processorMembers = () => ({
  decline_reason: z.optional(z.enum(DECLINE_REASONS)),
  cvc_check: z.optional(z.enum(CHECK_RESULTS)),
  address_check: z.optional(z.enum(CHECK_RESULTS)),
  three_d_secure: z.optional(z.enum(THREE_D_SECURE_RESULTS)),
});
