import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { METRIC_CATALOGUE } from '../../../shared/metrics/catalogue';

const PAGE = readFileSync(join(__dirname, '../../../docs/observability.md'), 'utf8');
/** Those that AWS makes of its own parts. */
const AWS = ['Count', 'Latency', 'Errors', 'Duration', 'ConcurrentExecutions', 'IteratorAge'];

describe('docs/observability.md', () => {
  it('names every figure', () => {
    expect(Object.keys(METRIC_CATALOGUE).filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });

  it('names no figure that there is not', () => {
    const named = [...PAGE.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)*)`/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in METRIC_CATALOGUE) && !AWS.includes(name))).toEqual([]);
  });
});
