import { createHmac } from 'node:crypto';

export const LOCAL_ADMIN = 'local-admin';

/**
 * The credentials of a caller in a local run. Emulators check no signatures, so the session token proves who calls: it
 * derives from the secret of the run, which only its owner can read (`run.json`), and from the caller's name, so that a
 * function cannot pass for another.
 */
export const localCredentials = (secret: string, accessKeyId: string) => ({
  accessKeyId,
  secretAccessKey: 'local',
  sessionToken: createHmac('sha256', secret).update(accessKeyId).digest('hex'),
});
