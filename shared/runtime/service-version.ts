import { version } from '../../package.json';

/** The release that this code belongs to. The API has versions of its own, by date (`X-Api-Version`). */
export const SERVICE_VERSION: string = version;
