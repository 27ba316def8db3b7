import { readFileSync } from 'node:fs';
import { type AfdMapping, DEFAULT_MAPPING } from '../../shared/domain/afd/afd-mapping';
import { parseAfdMapping } from '../../shared/schemas/afd-mapping';

/**
 * Reads a mapping file; without one, the defaults.
 * @throws Error that names the invalid field
 */
export const readMapping = (file: string | undefined): AfdMapping =>
  file === undefined ? DEFAULT_MAPPING : parseAfdMapping(readFileSync(file, 'utf8'), file);
