import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Backend {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts fauxqs (SQS and S3, in memory) on a free port of the loopback interface, for callers with this access key. */
export async function startFauxqs(accessKey: string): Promise<Backend> {
  // An empty execArgv: the thread needs none of the parent's loaders.
  const worker = new Worker(join(__dirname, 'fauxqs-worker.mjs'), { execArgv: [], env: {}, workerData: accessKey });
  const [{ port }] = (await once(worker, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await worker.terminate();
    },
  };
}
