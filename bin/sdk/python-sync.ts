import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(__dirname, '../../sdk/python/fraud_screening');

export const PYTHON_SYNC_FILES = ['client', 'resources'].map((name) => ({
  source: join(PACKAGE, `_async_${name}.py`),
  file: join(PACKAGE, `_${name}.py`),
}));

const RULES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^"""(.*?) of the async client\. .*"""$/gm,
    '"""$1 of the sync client. Made from the async one by ``npm run sdk:types``: do not edit."""',
  ],
  [
    /^"""The async client\. .*"""$/gm,
    '"""The sync client. Made from the async one by ``npm run sdk:types``: do not edit."""',
  ],
  [/^import asyncio\n/gm, ''],
  [/^import ssl\n(?=from typing)/gm, 'import ssl\nimport time\n'],
  [/\basyncio\.sleep\b/g, 'time.sleep'],
  [/\basync (?=def|for|with)/g, ''],
  [/\bawait /g, ''],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\b(_?)Async(?=[A-Z])/g, '$1'],
  [/\b_async_(?=client|resources)/g, '_'],
  [/^( +)share it\.$/gm, '$1share it, between threads too.'],
];

/** The sync form of a Python file: the same calls, without async and await. */
export const withoutAsync = (source: string): string =>
  RULES.reduce((text, [pattern, instead]) => text.replace(pattern, instead), source);

export const pythonSync = (source: string): string => withoutAsync(readFileSync(source, 'utf8'));
