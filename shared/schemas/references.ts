import * as z from 'zod/mini';
import { text } from './text';

/** A reference in a request: an order ID, a payment intent, a charge. */
export const reference = text(1, 128);

const MAX_REFERENCES = 4;

/** References of a subject. */
export const references = z.array(reference).check(z.maxLength(MAX_REFERENCES));
