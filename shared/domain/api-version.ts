import { version } from '../../package.json';
import { DomainError } from './errors';

/** The release that this code belongs to. The API is versioned separately, by date. */
export const SERVICE_VERSION: string = version;

/** Every version that `X-Api-Version` may name, oldest first. A breaking change adds one (or a new URL prefix). */
export const API_VERSIONS = ['2026-11-14'] as const;

export type ApiVersion = (typeof API_VERSIONS)[number];

export const NEWEST_API_VERSION: ApiVersion = API_VERSIONS[API_VERSIONS.length - 1] as ApiVersion;

/** The version that applies to a request: the one it pins, or the newest. */
export function resolveApiVersion(header: string | undefined): ApiVersion {
  if (header === undefined) return NEWEST_API_VERSION;
  const known = API_VERSIONS.find((version) => version === header.trim());
  if (known) return known;
  throw new DomainError(
    'unsupported_api_version',
    `X-Api-Version must be one of: ${API_VERSIONS.join(', ')}. Omit the header to use the newest version.`,
    [{ field: 'X-Api-Version', message: `must be one of ${API_VERSIONS.join(', ')}` }],
  );
}
