/** More than anybody reads at once. */
export const MAX_ECHOED = 50;
/** With the rest of an answer around them: no answer that echoes a request exceeds 16 KB. */
const MAX_ECHOED_BYTES = 12 * 1024;

/** The first of what an answer says about a request: what is echoed must not grow with what was sent. */
export function echoed<T>(entries: readonly T[]): T[] {
  let bytes = 0;
  return entries.slice(0, MAX_ECHOED).filter((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry));
    return bytes <= MAX_ECHOED_BYTES;
  });
}
