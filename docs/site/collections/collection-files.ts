import type { OpenapiDocument } from '../openapi-document';
import { brunoCollection } from './bruno-collection';
import { collectionRequests } from './collection-requests';
import { postmanCollection } from './postman-collection';

/** Everything below docs/collections, by path. */
export function collectionFiles(document: OpenapiDocument): ReadonlyMap<string, string> {
  const requests = collectionRequests(document);
  return new Map([
    ['fraud-screening.postman_collection.json', `${JSON.stringify(postmanCollection(requests), null, 2)}\n`],
    ...[...brunoCollection(requests)].map(([path, text]) => [`bruno/${path}`, text] as const),
  ]);
}
