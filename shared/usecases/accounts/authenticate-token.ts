import type { Account } from '../../domain/accounts/account';
import type { TokenHolder, TokenRefusal } from '../../domain/accounts/token-holder';
import type { Authenticated } from './authenticate';

/** Dependencies of authenticating a person by an access token. */
export interface AuthenticateTokenDeps {
  readonly keys: { account(accountId: string): Promise<Account | undefined> };
  readonly tokens: { holderOf(token: string): Promise<TokenHolder | TokenRefusal> };
}

/** Who signed in to get this access token, or why it is refused. */
export async function authenticateToken(
  { keys, tokens }: AuthenticateTokenDeps,
  token: string,
): Promise<Authenticated | TokenRefusal> {
  const holder = await tokens.holderOf(token);
  if (typeof holder === 'string') return holder;
  const { key_id, role, person, accountIds } = holder;
  // Stages share a provider but no account: the table of this stage knows those that count here.
  const found = await Promise.all(accountIds.map((id) => keys.account(id)));
  const [account, ...others] = found.filter((each) => each !== undefined);
  if (!account || others.length > 0) return 'no_account';
  const { account_id, settings, rate_limit_key } = account;
  return { caller: { account_id, key_id, settings, role, person }, rateLimitKey: rate_limit_key };
}
