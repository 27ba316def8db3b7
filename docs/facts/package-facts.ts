import { packageGzipBytes } from '../../bin/sdk/build-package';
import type { Fact } from './fact';

const size = (bytes: number): string => `${Math.round(bytes / 1_000)} KB`;

/** How large the packages under sdk/ are, as `npm run sdk:build` prints it. */
export function packageFacts(): Fact[] {
  const client = size(packageGzipBytes('client'));
  const device = size(packageGzipBytes('device'));
  return [
    { page: 'README.md', says: /retried, idempotent, (\d+ KB), no dependencies/, value: client },
    { page: 'sdk/client/README.md', says: /is (\d+ KB) gzipped/, value: client },
    { page: 'README.md', says: /`device_fingerprint`: (\d+ KB), nothing before consent/, value: device },
    { page: 'sdk/device/README.md', says: /(\d+ KB) gzipped, no network calls/, value: device },
  ];
}
