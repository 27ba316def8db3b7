import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { readJsonFile, writeJsonFile, writeNewJsonFile } from '../data-directory';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateFor {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** The authority that signs; without one the certificate signs itself. */
  readonly authority?: Certificate;
}

// P-256: a key takes 1 ms where RSA 2048 takes up to 1 s.
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/** A private authority: its certificates are trusted only where its own was installed. */
export async function makeAuthority(name = 'Throw-away authority'): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}

export async function makeCertificate(options: CertificateFor): Promise<Certificate> {
  const { names = [], addresses = [], authority, notBefore, notAfter } = options;
  const { private: key, cert } = await generate([{ name: 'commonName', value: names[0] ?? 'receiver' }], {
    ...EC,
    ...(authority && { ca: authority }),
    ...(notBefore && { notBeforeDate: notBefore }),
    ...(notAfter && { notAfterDate: notAfter }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key, cert };
}

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

export async function trustedCertificate(nowMs: number, directory = DIRECTORY): Promise<Certificate> {
  const { authority } = await ownAuthority(directory, nowMs);
  return makeCertificate({ names: ['localhost'], addresses: ['127.0.0.1'], authority });
}

/** The environment a dispatcher needs to reach a receiver on this machine and to trust its certificate. */
export async function localDoor(nowMs: number, directory = DIRECTORY): Promise<Readonly<Record<string, string>>> {
  const { file } = await ownAuthority(directory, nowMs);
  return { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128', WEBHOOK_EXTRA_CA: file };
}
