import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { sdkDefinitions } from './sdk-types';

export const TYPES_FILE = join(__dirname, '../../sdk/client/src/types.d.ts');

export async function sdkTypes(): Promise<string> {
  const definitions = sdkDefinitions();
  const types = await compile({ definitions } as JSONSchema, ROOT_NAME, {
    additionalProperties: false,
    bannerComment: '// Written by `npm run sdk:types` from the schemas of the API. Do not edit.',
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 120, bracketSpacing: true, trailingComma: 'all' },
  });
  return types.replace(REFERENCE_NOTES, '').replace(EMPTY_COMMENTS, '').replace(ROOT_TYPE, '');
}

/* The compiler needs one root schema, and adds to every type a comment that it was found there. */
const ROOT_NAME = 'Root';
const ROOT_TYPE = /export interface Root \{[^}]*\}\n/;
const REFERENCE_NOTES = /( \*\n)? \* This interface was referenced by .*\n \* via the `definition` .*\n/g;
const EMPTY_COMMENTS = /\/\*\*\n \*\/\n/g;
