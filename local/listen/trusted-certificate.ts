import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile, writeNewJsonFile } from '../json-file';
import { type Certificate, makeAuthority, makeCertificate } from './certificates';

/** The location of this machine's authority, the same for receivers and senders. */
const DIRECTORY = join(__dirname, '../../.local/listen');

interface Authority extends Certificate {
  readonly made_at_ms: number;
}

/** An authority is replaced when a receiver that it signs for could outlive it. */
const RENEW_AFTER_MS = 180 * 24 * 3_600_000;

/**
 * This machine's own authority. It is kept between runs, so that a service that trusts it also trusts the next listener.
 * Two listeners that start at once must not make two: the second takes the first one's.
 */
async function ownAuthority(directory: string, nowMs: number): Promise<{ authority: Certificate; file: string }> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const kept = join(directory, 'authority.json');
  const read = (): Authority | undefined => readJsonFile<Authority | undefined>(kept, undefined);
  let authority = read();
  if (authority === undefined || nowMs - authority.made_at_ms >= RENEW_AFTER_MS) {
    const made = { ...(await makeAuthority()), made_at_ms: nowMs };
    if (authority) writeJsonFile(kept, made);
    authority = authority || writeNewJsonFile(kept, made) ? made : (read() ?? made);
  }
  const file = join(directory, 'authority.pem');
  // Written only if it differs: a dispatcher that is just starting must not find it half written.
  if (!existsSync(file) || readFileSync(file, 'utf8') !== authority.cert) writeFileSync(file, authority.cert);
  return { authority, file };
}

/** A certificate for localhost, signed by this machine's own authority. */
export async function trustedCertificate(nowMs: number, directory = DIRECTORY): Promise<Certificate> {
  const { authority } = await ownAuthority(directory, nowMs);
  return makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
}

/** What a dispatcher's environment needs to reach a receiver on this machine, and to trust its certificate. */
export async function localDoor(nowMs: number, directory = DIRECTORY): Promise<Readonly<Record<string, string>>> {
  const { file } = await ownAuthority(directory, nowMs);
  return { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_EXTRA_CA: file };
}
