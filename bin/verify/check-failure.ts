/** A check that failed: says what does not work in a sentence or two. */
export class CheckFailure extends Error {}
