import { readFileSync } from 'node:fs';
import type { AxeResults, RunOptions } from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inProject } from '../../project.ts';
import { noBrowser } from '../browser.ts';
import { fillSamples, type Samples } from './sample.ts';
import { openSite, unfold, type Site } from './visits.ts';

const test = suite<{ site: Site; samples: Samples }>('accessibility of status pages');

test.before(async (context) => {
  context.site = await openSite();
  context.samples = await fillSamples(context.site.call);
});
test.after(({ site }) => site.stop());

const AXE = readFileSync(inProject('node_modules/axe-core/axe.min.js'), 'utf8');
const OPTIONS: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: { 'target-size': { enabled: true } },
  resultTypes: ['violations'],
};

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  'on a phone': { colorScheme: 'light', viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
};

/** Returns the rules that a page violates, with the violating elements. */
const violations = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(
    (options) => (window as unknown as { axe: { run: (o: RunOptions) => Promise<AxeResults> } }).axe.run(options),
    OPTIONS,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
};

const pagesOf = ({ acme, incident, maintenance, underWay }: Samples): [string, string, string?][] => [
  ['a page on which something is broken', 'acme'],
  ['a page on which everything works', 'calm'],
  ['a page during maintenance', 'upkeep'],
  ['an empty page', 'fresh'],
  ['a page that is laid out from right to left', 'he'],
  ['hours instead of days', 'acme', '?range=24h'],
  ['an incident', 'acme', `incidents/${incident}`],
  ['a planned maintenance', 'acme', `maintenances/${maintenance}`],
  ['a maintenance under way', 'upkeep', `maintenances/${underWay}`],
  ['a component', 'acme', `components/${acme.shop}`],
  ['a group', 'acme', `groups/${acme.storefront}`],
  ['a month', 'acme', 'history'],
  ['results of a search', 'acme', 'history?q=invoices'],
  ['a search that finds nothing', 'acme', 'history?q=nothing-at-all'],
  ['an address at which there is nothing', 'acme', 'incidents/nothing'],
];

for (const [look, options] of Object.entries(LOOKS))
  test(`status pages in every state conform to WCAG 2.2 AA as far as axe can detect (${look})`, async ({
    site,
    samples,
  }) => {
    const { page, close } = await site.visit(options);
    const found: string[] = [];
    for (const [title, subdomain, path = ''] of pagesOf(samples)) {
      await page.goto(path.startsWith('?') ? site.at(subdomain) + path : site.at(subdomain, path));
      const folded = await violations(page);
      await unfold(page);
      found.push(...new Set([...folded, ...(await violations(page))].map((violation) => `${title}: ${violation}`)));
    }
    await close();
    assert.equal(found, []);
  });

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
