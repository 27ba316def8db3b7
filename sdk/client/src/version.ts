/** Of this package; a test holds it equal to package.json. */
export const VERSION = '0.2.0';

/** The version of the API that `types.d.ts` describes, and that every request pins; a test holds it equal to the newest. */
export const API_VERSION = '2026-11-14';
