/**
 * Stands in for `node:stream/web` in bundles: only middy imports it, to recognise a streamed response, and none of our
 * functions streams one. Loading the module takes 1.9 ms of a cold start.
 */
export class ReadableStream {}
