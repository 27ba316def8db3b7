import { type EntityRef, entityRef } from '../../entities/entity-ref';
import type { IpFacts } from '../../ip/ip-table';
import { networkOf } from '../../ip/network-of';

/** The networks around an IP address: its /24 or /48, and the autonomous system that announces it, if it is known. */
export function networksOf(accountId: string, ipAddress: string | undefined, ip: IpFacts | undefined): EntityRef[] {
  const around = ipAddress === undefined ? undefined : networkOf(ipAddress);
  if (around === undefined) return [];
  const refs = [entityRef(accountId, 'network', 'network', around.net)];
  if (ip?.asn !== undefined) refs.push(entityRef(accountId, 'network', 'asn', `AS${ip.asn}`));
  return refs;
}
