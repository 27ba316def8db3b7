import { secretReader, stagePseudonyms } from '../secrets/stage-pseudonyms';
import { systemClock } from './clock';
import { config } from './config';
import type { Log } from './logger';

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
