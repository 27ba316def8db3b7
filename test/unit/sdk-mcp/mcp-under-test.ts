import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { FraudScreening } from '../../../sdk/client/src';
import { createServer } from '../../../sdk/mcp/src/tools';
import { type Seen, type Step, scriptedServer } from '../../support/machine/scripted-server';

export const KEY = ['sk', 'test', 'b'.repeat(38)].join('_');

export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

export interface UnderTest {
  readonly client: Client;
  readonly requests: readonly Seen[];
  call(name: string, input?: Record<string, unknown>): Promise<Said>;
}

/** The protocol's own client, connected to our server, in front of an API that plays the steps. */
export async function conversing(
  steps: readonly Step[] | ((seen: Seen) => Step),
  run: (underTest: UnderTest) => Promise<void>,
  allowDecisions = false,
): Promise<void> {
  const api = await scriptedServer(steps);
  const fraud = new FraudScreening({ apiKey: KEY, baseUrl: api.url, maxRetries: 0 });
  const server = createServer(fraud, { apiKey: KEY, allowDecisions });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const call = async (name: string, input: Record<string, unknown> = {}): Promise<Said> => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as { text: string }[];
    return { text: first?.text ?? '', isError: isError === true };
  };
  try {
    await run({ client, requests: api.requests, call });
  } finally {
    await client.close();
    await api.close();
  }
}
