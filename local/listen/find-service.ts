import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJsonFile } from '../json-file';

/** The local run that sends the deliveries. */
export interface LocalService {
  readonly url: string;
  readonly key: string;
}

const LOOK_AGAIN_MS = 300;

/** Waits until a local run is up in a data directory; says once that it is waiting. */
export async function findService(dataDir: string, onWait: () => void): Promise<LocalService> {
  let hasTold = false;
  for (;;) {
    const run = readJsonFile<{ url: string } | undefined>(join(dataDir, 'run.json'), undefined);
    const demo = readJsonFile<{ key: string } | undefined>(join(dataDir, 'demo-account.json'), undefined);
    if (run && demo && (await isUp(run.url))) return { url: run.url, key: demo.key };
    if (!hasTold) onWait();
    hasTold = true;
    await delay(LOOK_AGAIN_MS);
  }
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/_local/health`).then(
    ({ ok }) => ok,
    () => false,
  );
