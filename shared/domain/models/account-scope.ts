import { hash32 } from '../entities/counterpart-hashes';

const SCOPE_SALT = 0x73636f70;

/** How a model refers to an account: 32 bits, so that no artefact names one. */
export const accountScope = (accountId: string): number => hash32(accountId, SCOPE_SALT);
