import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A theme changes colours and nothing else: in the second one, only these rules can find something new. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** The faults that axe finds on a page as it stands, one line for each rule. */
export async function axeViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  // Half a megabyte to compile: once per document, which is looked at in several widths and themes.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // Only violations leave the page, and only for them axe describes every element: a long page passes in thousands.
  const violations = await page.evaluate(async (chosen) => {
    const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return (await axe.run({ resultTypes: ['violations'], ...chosen })).violations;
  }, options);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}
