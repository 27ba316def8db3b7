import { drive, driver } from '../../../bench/load/drive';
import { traffic } from '../../../bench/load/traffic';
import { localRun } from '../local-run';
import { webhookAccount } from '../webhooks/webhook-account';
import type { WebhookReceiver } from '../webhooks/webhook-receiver';

const ACCOUNTS = 4;
const USERS_PER_ACCOUNT = 3_000;
const SEED = 7;

/** Minutes of traffic as `npm run load` makes it, of accounts whose events go to a receiver that is not always well. */
export async function ordinaryTraffic(receiver: WebhookReceiver, seconds: number, perSecond: number): Promise<void> {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => webhookAccount(receiver)));
  for (const account of accounts) {
    const { path } = await account.register(['transaction.decision.block', 'case.created', 'case.resolved']);
    receiver.answer(path, ({ atMs }) => (atMs % 20 === 0 ? 503 : 200));
  }
  const { make, close } = driver({
    url: localRun().url,
    keys: accounts.map(({ key }) => key),
    onDone: () => undefined,
  });
  await drive(make, traffic(SEED, { accounts: ACCOUNTS, usersPerAccount: USERS_PER_ACCOUNT }), {
    perSecond,
    maxInFlight: 6,
    isOver: (_started, elapsedMs) => elapsedMs >= seconds * 1_000,
  });
  close();
}
