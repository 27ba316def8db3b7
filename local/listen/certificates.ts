import { generate } from 'selfsigned';

/** A throw-away certificate and its key, in PEM. */
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

/** A private authority: what it signs is trusted only where its certificate was installed. */
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

/** A server certificate for names and addresses. */
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
