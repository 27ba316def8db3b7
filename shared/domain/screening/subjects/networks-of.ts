import type { EntityNames, EntityRef } from '../../entities/entity-ref';
import type { IpFacts } from '../../ip/ip-table';
import { networkOf } from '../../ip/network-of';

/** The networks around an IP address: its /24 or /48, and the autonomous system that announces it, if it is known. */
export function networksOf(names: EntityNames, ipAddress: string | undefined, ip: IpFacts | undefined): EntityRef[] {
  const around = ipAddress === undefined ? undefined : networkOf(ipAddress);
  if (around === undefined) return [];
  const refs = [names.exact('network', around.net)];
  if (ip?.asn !== undefined) refs.push(names.exact('network', `AS${ip.asn}`, 'asn'));
  return refs;
}
