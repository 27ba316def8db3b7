import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as SvixWebhook } from 'svix';

export interface Captured {
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const stripe = new Stripe('sk_test_unused');

/** The verifiers that merchants already have, each called as its vendor's guide says; they throw to refuse. */
export const VENDORS: Readonly<Record<string, (captured: Captured) => unknown>> = {
  stripe: ({ secret, headers, body }) =>
    stripe.webhooks.constructEvent(body, headers['X-Service-Signature'] ?? '', secret),
  standardwebhooks: ({ secret, headers, body }) => new StandardWebhook(secret).verify(body, headers),
  svix: ({ secret, headers, body }) => new SvixWebhook(secret).verify(body, headers),
};

export const accepts = (vendor: string, captured: Captured): boolean => {
  try {
    VENDORS[vendor]?.(captured);
    return true;
  } catch {
    return false;
  }
};

/** The vendors read the ambient clock; this pins it, so that ±300 s are exact and no test waits for a second. */
export function atTime<T>(seconds: number, run: () => T): T {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(seconds * 1000);
  try {
    return run();
  } finally {
    clock.mockRestore();
  }
}
