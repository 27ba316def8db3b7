import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The claims in the access tokens of a person, by user name. */
export type People = Readonly<Record<string, object>>;

/** Starts an OpenID provider; it takes people once it knows where to send them back to. */
export async function startProvider() {
  const child = fork(join(__dirname, 'provider.mjs'), {
    execArgv: [],
    // It warns that its pages and keys are for development, at length.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
  return {
    issuer,
    clientId: 'review-console',
    async open(redirectUri: string, people: People): Promise<void> {
      child.send({ redirectUri, people });
      await once(child, 'message');
    },
    /** An access token with these claims, signed with the key that the provider publishes; one at a time. */
    async sign(claims: object): Promise<string> {
      child.send({ claims });
      const [{ token }] = (await once(child, 'message')) as [{ token: string }];
      return token;
    },
    async stop(): Promise<void> {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
