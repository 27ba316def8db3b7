import type { App } from 'aws-cdk-lib';
import { isTrustworthyAddress, type SignInSettings } from '../shared/domain/accounts/token-holder';

export interface SignInOptions extends SignInSettings {
  /** The scope that the console requests; `offline_access` where a provider issues refresh tokens only for it. */
  readonly scope: string;
  /** Origins the console may call: the issuer's, and that of its token endpoint where it differs. */
  readonly origins: readonly string[];
}

// Characters that a header and an HTML attribute carry without quoting; claim names may be addresses.
const PLAIN = /^[!#-&(-+\--:=?-~]{1,500}$/;
const SCOPE = /^[!#-[\]-~]+(?: [!#-[\]-~]+)*$/;
const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

type Context = (name: string) => string | undefined;

function claimOf(context: Context, name: string, usual: string): string {
  const given = context(name) ?? usual;
  if (!PLAIN.test(given)) throw new Error(`-c ${name}=${given} is not the name of a claim.`);
  return given;
}

function issuerOf(issuer: string): string {
  if (!URL.canParse(issuer) || !isTrustworthyAddress(issuer) || /[?#]/.test(issuer) || !PLAIN.test(issuer)) {
    throw new Error(`-c oidcIssuer=${issuer} is not an issuer: give its https address, as its tokens have it in iss.`);
  }
  return issuer;
}

function originsOf(context: Context, issuer: string): string[] {
  const others = (context('oidcOrigins') ?? '').split(',').filter((each) => each !== '');
  const wrong = others.find((each) => !ORIGIN.test(each) || !isTrustworthyAddress(each));
  if (wrong !== undefined) throw new Error(`-c oidcOrigins: ${wrong} is not an origin, as https://login.example.com.`);
  return [...new Set([new URL(issuer).origin, ...others])];
}

/** `-c oidcIssuer=… -c oidcClientId=…`, and options for some providers. @default people sign in with API keys */
export function signInOptions(app: App): SignInOptions | undefined {
  const context: Context = (name) => {
    const given: unknown = app.node.tryGetContext(name);
    return given === undefined || given === '' ? undefined : String(given);
  };
  const [issuer, clientId] = [context('oidcIssuer'), context('oidcClientId')];
  if (!issuer && !clientId) return undefined;
  if (!issuer || !clientId) throw new Error('Signing in needs both -c oidcIssuer=… and -c oidcClientId=…');
  const scope = context('oidcScope') ?? 'openid';
  if (!SCOPE.test(scope)) throw new Error(`-c oidcScope=${scope} is not a list of scopes.`);
  const personClaim = context('oidcPersonClaim');
  return {
    issuer: issuerOf(issuer),
    clientId: claimOf(context, 'oidcClientId', clientId),
    audience: claimOf(context, 'oidcAudience', clientId),
    roleClaim: claimOf(context, 'oidcRoleClaim', 'fraud_screening_role'),
    accountClaim: claimOf(context, 'oidcAccountClaim', 'fraud_screening_account'),
    ...(personClaim ? { personClaim: claimOf(context, 'oidcPersonClaim', personClaim) } : {}),
    scope,
    origins: originsOf(context, issuer),
  };
}
