import { secretReader, stagePseudonyms } from '../secrets/stage-pseudonyms';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';

/** How this stage names what it must not store, by the key in its secret. */
export const pseudonymWiring = (log: Log) =>
  stagePseudonyms({
    clock: systemClock,
    read: secretReader({
      secretId: config.dataKeySecretId(),
      region: config.region(),
      endpoint: config.awsEndpoint(),
    }),
    onFailure: (error) => log.error('the secret of the stage could not be read', { error }),
  });
