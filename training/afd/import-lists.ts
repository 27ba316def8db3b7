import { readFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type AfdMapping, DEFAULT_MAPPING } from '../../shared/domain/afd/afd-mapping';
import { ATTRIBUTES } from '../../shared/domain/afd/afd-target';
import { planVariables } from '../../shared/domain/afd/plan-variables';

/** `aws frauddetector get-list-elements`, with the list's name and type as `get-lists-metadata` says them. */
const list = z.object({
  name: z.string(),
  variableType: z.optional(z.string()),
  elements: z.array(z.string()),
});
const listFile = z.union([z.object({ lists: z.array(list) }), z.array(list), list]);

const BY_TYPE: Readonly<Record<string, string>> = {
  IP_ADDRESS: 'ip_address',
  EMAIL_ADDRESS: 'email',
  EMAIL: 'email',
  PHONE_NUMBER: 'phone',
  BILLING_PHONE: 'phone',
  FINGERPRINT: 'device_fingerprint',
};

export interface ListRequest {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  readonly body: object;
}

/** The type of one of our lists for a variable type of Amazon's, or for the variable that the list is named after. */
function typeOf(name: string, variableType: string | undefined, mapping: AfdMapping): string {
  const known = BY_TYPE[variableType?.toUpperCase() ?? ''];
  if (known) return known;
  const [planned] = planVariables([(variableType ?? name).toLowerCase()], mapping);
  const target = planned?.target ?? '';
  if (['user_id', 'device_fingerprint', 'ip_address'].includes(target)) return target;
  const key = target.startsWith(ATTRIBUTES) ? target.slice(ATTRIBUTES.length) : (variableType ?? name).toLowerCase();
  return ['email', 'phone', 'card_fingerprint'].includes(key) ? key : `attribute:${key}`;
}

const PER_REQUEST = 1_000;

/** The calls that make the lists of a file; a list of addresses with networks among them becomes two. */
export function listRequests(text: string, mapping: AfdMapping = DEFAULT_MAPPING): ListRequest[] {
  const file = listFile.parse(JSON.parse(text));
  const lists = Array.isArray(file) ? file : 'lists' in file ? file.lists : [file];
  return lists.flatMap(({ name: given, variableType, elements }) => {
    const name = listName(given);
    const type = typeOf(given, variableType, mapping);
    if (type !== 'ip_address') return requestsFor(name, type, elements, given);
    const networks = elements.filter((element) => element.includes('/'));
    const addresses = elements.filter((element) => !element.includes('/'));
    return [
      ...requestsFor(name, type, addresses, given),
      ...(networks.length === 0 ? [] : requestsFor(`${name.slice(0, 54)}-networks`, 'cidr', networks, given)),
    ];
  });
}

const listName = (given: string): string => {
  const name = given.toLowerCase().replace(/[^a-z0-9_-]/g, '_');
  return (/^[a-z]/.test(name) ? name : `l_${name}`).slice(0, 63);
};

function requestsFor(name: string, type: string, elements: readonly string[], from: string): ListRequest[] {
  const path = `/v1/lists/${name}`;
  const put: ListRequest = {
    method: 'PUT',
    path,
    body: { type, effect: 'none', note: `from Amazon Fraud Detector: ${from}` },
  };
  const batches: ListRequest[] = [];
  for (let at = 0; at < elements.length; at += PER_REQUEST) {
    const entries = elements.slice(at, at + PER_REQUEST).map((value) => ({ value }));
    batches.push({ method: 'POST', path: `${path}/entries`, body: { entries } });
  }
  return [put, ...batches];
}

/** Sends requests one after another; a refusal ends it. */
async function send(requests: readonly ListRequest[], url: string, key: string): Promise<void> {
  for (const { method, path, body } of requests) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

/** Where lists go: to a file, or to a running stage with a key that is read from a file. */
export interface ListTarget {
  readonly out: string;
  readonly url?: string | undefined;
  readonly keyFile?: string | undefined;
}

export async function importLists(
  file: string,
  mapping: AfdMapping,
  { out, url, keyFile }: ListTarget,
): Promise<string> {
  const requests = listRequests(readFileSync(file, 'utf8'), mapping);
  writeFileSync(out, `${requests.map((request) => JSON.stringify(request)).join('\n')}\n`);
  if (url !== undefined) {
    if (keyFile === undefined) throw new Error('--url needs --key-file: a file with the API key.');
    await send(requests, url, readFileSync(keyFile, 'utf8').trim());
  }
  const made = requests.filter(({ method }) => method === 'PUT');
  const lines = made.map(({ path, body }) => `${path.slice('/v1/lists/'.length)}: ${(body as { type: string }).type}`);
  const done =
    url === undefined ? `calls written to ${out}; add --url and --key-file to send them` : `lists are at ${url}`;
  return [...lines, `${made.length} ${done}. Their effect is none: rules decide what a match means.`].join('\n');
}
