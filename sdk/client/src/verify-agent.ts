import {
  type AgentJwk,
  dictionaryOf,
  fieldValue,
  isSignedBy,
  type MessageSignature,
  messageSignatures,
  type ReceivedRequest,
  signatureBase,
} from './message-signature';

/** Remembers nonces until they expire. `use` resolves with false if the nonce was used before. */
export interface AgentNonces {
  use(nonce: string, expiresAtSeconds: number): boolean | Promise<boolean>;
}

export interface VerifyAgentOptions {
  /**
   * The public key of an operator: from the directory at `https://<operator>/.well-known/http-message-signatures-directory`
   * of the operators that you accept, which you fetch and cache. Undefined if you do not know the key.
   */
  readonly keyOf: (keyId: string, operator: string) => AgentJwk | undefined | Promise<AgentJwk | undefined>;
  /** Shared by all your servers, or a signature can be replayed on the next one. `memoryNonces()` is for a single one. */
  readonly nonces: AgentNonces;
  /** The longest validity of a signature that you accept. @default 86400, as the profile recommends */
  readonly maxLifetimeSeconds?: number | undefined;
  /** How far the agent's clock may be ahead of yours. @default 60 */
  readonly toleranceSeconds?: number | undefined;
  /** For tests. @default the time now */
  readonly nowSeconds?: number | undefined;
}

/** Why an agent is not verified. */
export type AgentRefusal =
  | 'missing_operator'
  | 'operator_not_signed'
  | 'authority_not_signed'
  | 'missing_parameter'
  | 'unsupported_algorithm'
  | 'expired'
  | 'not_yet_valid'
  | 'lifetime_too_long'
  | 'unknown_key'
  | 'signature_mismatch'
  | 'nonce_reused';

/** The agent behind a request. Send `agent` with the screening, verified or not. */
export interface ReceivedAgent {
  readonly agent: { readonly operator: string; readonly key_id?: string; readonly verified: boolean };
  /** Why it is not verified. */
  readonly reason?: AgentRefusal;
}

const TAG = 'web-bot-auth';
const UNKNOWN = 'unknown';

/**
 * Finds out at your edge whether an agent shops for the customer, and verifies who runs it: HTTP message signatures
 * (RFC 9421) in the profile web-bot-auth, with Ed25519, a nonce and an expiry. Undefined if the request has no such signature.
 */
export async function verifyAgent(
  request: ReceivedRequest,
  options: VerifyAgentOptions,
): Promise<ReceivedAgent | undefined> {
  const signature = messageSignatures(request).find(({ params }) => params.tag === TAG);
  if (signature === undefined) {
    // An agent that names itself but does not sign, or whose signature cannot be read, is an agent all the same.
    const claimed = operatorOf(request, undefined);
    return claimed === undefined
      ? undefined
      : { agent: { operator: claimed, verified: false }, reason: 'missing_parameter' };
  }
  const operator = operatorOf(request, signature);
  const { keyid } = signature.params;
  const reason = await refusalOf(request, signature, operator, options);
  return {
    agent: {
      operator: operator ?? UNKNOWN,
      ...(typeof keyid === 'string' && keyid !== '' ? { key_id: keyid } : {}),
      verified: reason === undefined,
    },
    ...(reason === undefined ? {} : { reason }),
  };
}

/** The host of `Signature-Agent`: of the member that is signed, if it is a dictionary. */
function operatorOf(
  request: Pick<ReceivedRequest, 'headers'>,
  signature: MessageSignature | undefined,
): string | undefined {
  const value = fieldValue(request, 'signature-agent');
  if (value === undefined) return undefined;
  const key = signature?.components.find(({ name }) => name === 'signature-agent')?.key;
  const members = dictionaryOf(value);
  const text = key === undefined ? (members.values().next().value ?? value) : (members.get(key) ?? '');
  const [, uri = ''] = /^"([^"\\]*)"/.exec(text) ?? [];
  try {
    return new URL(uri).host || undefined;
  } catch {
    return undefined;
  }
}

async function refusalOf(
  request: ReceivedRequest,
  signature: MessageSignature,
  operator: string | undefined,
  options: VerifyAgentOptions,
): Promise<AgentRefusal | undefined> {
  const { params, components, bytes } = signature;
  const { keyid, nonce, expires } = params;
  const covers = (name: string) => components.some((component) => component.name === name);
  if (operator === undefined) return 'missing_operator';
  if (!covers('signature-agent')) return 'operator_not_signed';
  if (!covers('@authority') && !covers('@target-uri')) return 'authority_not_signed';
  if (typeof keyid !== 'string' || typeof nonce !== 'string' || nonce === '') return 'missing_parameter';
  if (params.alg !== undefined && params.alg !== 'ed25519') return 'unsupported_algorithm';
  const late = timeRefusal(params, options);
  if (late !== undefined) return late;
  const jwk = await options.keyOf(keyid, operator);
  if (jwk === undefined) return 'unknown_key';
  const base = signatureBase(request, signature);
  if (base === undefined || !(await isSignedBy(jwk, base, bytes))) return 'signature_mismatch';
  // Last: only the operator itself can use up a nonce.
  return (await options.nonces.use(`${operator} ${keyid} ${nonce}`, Number(expires))) ? undefined : 'nonce_reused';
}

function timeRefusal(
  { created, expires }: MessageSignature['params'],
  { maxLifetimeSeconds = 86_400, toleranceSeconds = 60, nowSeconds = Date.now() / 1000 }: VerifyAgentOptions,
): AgentRefusal | undefined {
  if (typeof created !== 'number' || typeof expires !== 'number') return 'missing_parameter';
  if (expires <= nowSeconds) return 'expired';
  if (created > nowSeconds + toleranceSeconds) return 'not_yet_valid';
  return expires - created > maxLifetimeSeconds ? 'lifetime_too_long' : undefined;
}

/**
 * Nonces of one process, for a shop with a single server. The oldest are forgotten beyond `most`.
 * @default 100,000 nonces
 */
export function memoryNonces(most = 100_000, nowSeconds: () => number = () => Date.now() / 1000): AgentNonces {
  const used = new Map<string, number>();
  return {
    use(nonce, expiresAtSeconds) {
      const until = used.get(nonce);
      if (until !== undefined && until > nowSeconds()) return false;
      used.delete(nonce);
      used.set(nonce, expiresAtSeconds);
      for (const oldest of used.keys()) {
        if (used.size <= most) break;
        used.delete(oldest);
      }
      return true;
    },
  };
}
