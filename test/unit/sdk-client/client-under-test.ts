import { type Attempt, type ClientOptions, type FailPolicy, FraudScreening } from '../../../sdk/client/src';
import { type Seen, type Step, scriptedServer } from '../../support/machine/scripted-server';

const KEY = ['sk', 'test', 'a'.repeat(38)].join('_');

export interface UnderTest<Policy extends FailPolicy> {
  readonly client: FraudScreening<Policy>;
  readonly requests: readonly Seen[];
  readonly attempts: readonly Attempt[];
  /** The waits between tries, which pass at once. */
  readonly waits: readonly number[];
}

/** A client of a service that a property plays: thousands of calls, none of which is about the network. */
export function modelled(answer: (url: URL) => object): { client: FraudScreening; calls: URL[] } {
  const calls: URL[] = [];
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = new URL(String(input));
    calls.push(url);
    return new Response(JSON.stringify(answer(url)));
  };
  return { client: new FraudScreening({ apiKey: KEY, baseUrl: 'https://api.example.com', runtime: { fetch } }), calls };
}

/** Runs a client against a server that plays the steps, on a clock that only waits move. */
export async function against<Policy extends FailPolicy = 'throw'>(
  steps: readonly Step[] | ((seen: Seen) => Step),
  run: (underTest: UnderTest<Policy>) => Promise<void>,
  options: Partial<ClientOptions<Policy>> = {},
): Promise<void> {
  const server = await scriptedServer(steps);
  let now = Date.parse('2026-11-14T00:00:00Z');
  const waits: number[] = [];
  const attempts: Attempt[] = [];
  const client = new FraudScreening<Policy>({
    apiKey: KEY,
    baseUrl: server.url,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
    runtime: {
      now: () => now,
      sleep: async (ms) => {
        waits.push(ms);
        now += ms;
      },
      random: () => 0.5,
      ...options.runtime,
    },
  });
  try {
    await run({ client, requests: server.requests, attempts, waits });
  } finally {
    await server.close();
  }
}
