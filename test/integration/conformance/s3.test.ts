import { randomUUID } from 'node:crypto';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import type { ObjectStore } from '../../../shared/store/sdk/object-store';
import { describeModelRegistryConformance } from '../../support/conformance/model-registry';
import { describeObjectsConformance } from '../../support/conformance/objects';
import { modelBucket } from '../../support/stores/registry';

/** A corner of the run's bucket that nobody else looks into. */
function corner(): ObjectStore {
  const bucket = modelBucket();
  const prefix = `conformance-${randomUUID()}/`;
  return {
    get: (key, etag) => bucket.get(prefix + key, etag),
    put: (key, body, condition) => bucket.put(prefix + key, body, condition),
  };
}

describeObjectsConformance('S3', modelBucket);
describeModelRegistryConformance('S3', () => modelRegistry(corner()));
