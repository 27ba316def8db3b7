import { randomBytes } from 'node:crypto';

/** Notes that make the message about them too large to be stored with its deliveries, however well it is packed. */
export const longNotes = (): string => randomBytes(450).toString('base64');
