import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../json-file';
import { type Certificate, makeAuthority, makeCertificate } from './certificates';

/** A certificate for localhost, and the file by which a local run learns to trust it. */
export interface TrustedCertificate {
  readonly certificate: Certificate;
  readonly authorityFile: string;
}

/** An authority is replaced when a receiver that it signs for could outlive it. */
const RENEW_AFTER_MS = 180 * 24 * 3_600_000;

/**
 * Signs a certificate for localhost with this machine's own authority. The authority is kept between runs: a service
 * that was started with its file goes on trusting whoever listens next.
 */
export async function trustedCertificate(directory: string, nowMs: number): Promise<TrustedCertificate> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'authority.json');
  const authorityFile = join(directory, 'authority.pem');
  const kept = readJsonFile<(Certificate & { made_at_ms: number }) | undefined>(file, undefined);
  const isFresh = kept !== undefined && nowMs - kept.made_at_ms < RENEW_AFTER_MS;
  const authority = isFresh ? kept : { ...(await makeAuthority()), made_at_ms: nowMs };
  if (!isFresh) writeJsonFile(file, authority);
  writeFileSync(authorityFile, authority.cert);
  const certificate = await makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
  return { certificate, authorityFile };
}
