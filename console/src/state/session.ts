import { signal } from '@preact/signals';
import { listen, useKey } from '../api/client';
import { failureOf, hasCode } from '../api/failure';
import { listCases } from '../api/routes';

/** Who works here. The key is not part of it: only the client knows that. */
export interface Session {
  readonly analystId: string;
  readonly stage: 'sandbox' | 'production';
}

export const session = signal<Session | undefined>(undefined);
/** Why the analyst must sign in again, where that was not their own wish. */
export const signedOutBecause = signal<string | undefined>(undefined);
export const isOnline = signal(navigator.onLine);

const stageOf = (key: string): Session['stage'] => (key.startsWith('sk_live_') ? 'production' : 'sandbox');

/** Tries the key on a cheap call; a message says what to change when it is refused. */
export async function signIn(key: string, analystId: string): Promise<string | undefined> {
  useKey(key);
  try {
    await listCases({ status: 'open', limit: 1 });
  } catch (error) {
    useKey(undefined);
    const failure = failureOf(error);
    signedOutBecause.value = undefined;
    if (hasCode(failure, 'unauthorized')) return 'This key is not known here. Check its stage, or ask for a new one.';
    if (failure.kind === 'offline') return 'The service cannot be reached. Check your connection and try again.';
    return failure.message;
  }
  signedOutBecause.value = undefined;
  session.value = { analystId, stage: stageOf(key) };
  return undefined;
}

export function signOut(because?: string): void {
  useKey(undefined);
  signedOutBecause.value = because;
  session.value = undefined;
}

listen({
  unauthorized: () => {
    if (session.value) signOut('Your key is no longer accepted. Sign in again to go on where you were.');
  },
  reachable: (reachable) => {
    isOnline.value = reachable;
  },
});
addEventListener('online', () => {
  isOnline.value = true;
});
addEventListener('offline', () => {
  isOnline.value = false;
});
