/** `npm run test:soak` runs the sizes that the promises name; everywhere else the same tests run small. */
export const IS_FULL = process.env.SOAK === 'full';

export const sized = (full: number, short: number): number => (IS_FULL ? full : short);
