import { createHook } from 'node:async_hooks';

/** Runs something and tells how many TCP connects this process began meanwhile, to wherever. */
export async function countConnections<T>(
  run: () => Promise<T>,
): Promise<{ readonly result: T; readonly connects: number }> {
  let connects = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'TCPCONNECTWRAP') connects += 1;
    },
  }).enable();
  try {
    return { result: await run(), connects };
  } finally {
    hook.disable();
  }
}
