import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';

const FILE = join(__dirname, '../../docs/openapi.json');

const RECOMMENDED = { extends: ['recommended'] };

/** Findings of Redocly by its recommended rules, warnings included; nothing is switched off. */
async function findings(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: FILE, config: await createConfig(RECOMMENDED) });
  return problems.map(
    ({ severity, ruleId, message, location }) =>
      `${severity} ${ruleId}: ${message} (${location.map(({ pointer }) => pointer).join(', ')})`,
  );
}

describe('docs/openapi.json at the recommended rules of Redocly', () => {
  it('has no finding', async () => {
    expect(await findings(readFileSync(FILE, 'utf8'))).toEqual([]);
  });

  it('would show one: the rules are in force', async () => {
    const faulty = {
      openapi: '3.1.0',
      info: { title: 'A', version: '1' },
      paths: { '/a': { get: { responses: {} } } },
    };
    const found = await findings(JSON.stringify(faulty));
    expect(found.some((line) => line.includes('operation-operationId'))).toBe(true);
    expect(found.some((line) => line.includes('security-defined'))).toBe(true);
  });
});
