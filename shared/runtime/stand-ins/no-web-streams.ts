/**
 * Stands in for `node:stream/web` in bundles: only middy imports it, to recognise a streamed answer, and no function of
 * ours streams one. Loading the module is 1.9 ms of a cold start.
 */
export class ReadableStream {}
