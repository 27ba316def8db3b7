import { version } from '../../package.json';

/** The release that this code belongs to. The API is versioned separately, by date (`X-Api-Version`). */
export const SERVICE_VERSION: string = version;
