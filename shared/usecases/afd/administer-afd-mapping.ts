import type { AfdMapping } from '../../domain/afd/afd-mapping';
import { type AdminDeps, requireAccount } from '../accounts/administer-accounts';

/** Where accounts keep how their events of Amazon Fraud Detector are read. */
export interface AfdMappings {
  find(accountId: string): Promise<AfdMapping | undefined>;
  save(accountId: string, mapping: AfdMapping): Promise<void>;
  remove(accountId: string): Promise<void>;
}

type Deps = Pick<AdminDeps, 'accounts' | 'stage'> & { readonly mappings: AfdMappings };

/** Stores the mapping of an account; effective within a minute. Undefined takes it back to the defaults. */
export async function changeAfdMapping(deps: Deps, accountId: string, mapping: AfdMapping | undefined): Promise<void> {
  const { account_id } = await requireAccount(deps, accountId);
  await (mapping ? deps.mappings.save(account_id, mapping) : deps.mappings.remove(account_id));
}
