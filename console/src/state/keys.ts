import { getKeys } from '../api/routes';
import type { ApiKey } from '../api/types';
import { loader } from './loadable';

const keys = loader<readonly ApiKey[]>();

/** The API keys of the account, for those who may see them. */
export const keysView = keys.state;

export const openKeys = (): Promise<void> => keys.load(getKeys, true);
export const closeKeys = (): void => keys.reset();
