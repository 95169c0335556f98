// Own process: a browser is open while the file runs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../api/service.ts';
import { testWith } from '../../deploy/project.ts';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { eventually } from '../../waiting.ts';

const suiteOfBrowsers = suite('the front page and the documentation in a browser');

const missing = noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);
const test = testWith(suiteOfBrowsers, missing === null);

const service = await startService();
await service.request('POST', '/v1/pages', { body: { name: 'Acme', subdomain: 'acme' } });
const ROOT = `http://127.0.0.1:${service.port}`;
let browser: Browser | null = null;
suiteOfBrowsers.after(async () => {
  await browser?.close();
  await service.stop();
});

interface Look {
  path: string;
  width?: number;
  scheme?: 'light' | 'dark';
  scripts?: boolean;
}

/** Calls a function with an open page. Fails if the page loads from another host or violates its security policy. */
const visiting = async (
  { path, width = 1280, scheme = 'light', scripts = true }: Look,
  inspect: (page: Page) => Promise<void>,
): Promise<void> => {
  browser ??= await openBrowser();
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: scripts,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!/^(?:data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(request.url());
  });
  try {
    await page.goto(ROOT + path);
    await inspect(page);
    assert.equal(complaints, [], path);
  } finally {
    await context.close();
  }
};

interface Found {
  violations: { id: string; nodes: { html: string }[] }[];
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const PATHS = ['/', '/docs', '/docs/incidents', '/docs/uptime', '/docs/search?q=incident'];

for (const scheme of ['light', 'dark'] as const)
  test(`the front page and the documentation break no accessibility rule and fit on a phone, ${scheme}`, async () => {
    for (const path of PATHS)
      await visiting({ path, scheme, width: 390 }, async (page) => {
        await page.evaluate(AXE);
        const violations = await page.evaluate(async (tags) => {
          const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Found> } };
          const found = await axe.run({ runOnly: tags });
          return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        }, RULES);
        assert.equal(violations, [], path);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path);
      });
  });

test('the documentation search finds sections while the user types, and opens one by keyboard', async () => {
  await visiting({ path: '/docs' }, async (page) => {
    await page.fill('#q', 'create incident');
    await page.waitForSelector('.suggestions a');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/incidents#create-incident');
  });
});

test('the documentation search and every example work without a script', async () => {
  await visiting({ path: '/docs/incidents', scripts: false }, async (page) => {
    await page.fill('#q', 'create incident');
    await page.press('#q', 'Enter');
    await page.waitForURL('**/docs/search?q=create+incident');
    await page.click('.hits a');
    await page.waitForURL('**/docs/incidents#create-incident');
    const example = page.locator('#create-incident details[data-language=Python]');
    await example.locator('summary').click();
    assert.ok(await example.locator('pre').isVisible());
  });
});

test('examples in the documentation are shown in the language that the visitor chose last', async () => {
  await visiting({ path: '/docs/incidents' }, async (page) => {
    await page.click('#create-incident details[data-language=Python] summary');
    await page.goto(`${ROOT}/docs/uptime`);
    const open = (language: string) => page.locator(`details.sample[open]${language}`).count();
    await eventually(async () => (await open('')) === 3 && (await open('[data-language=Python]')) === 3);
  });
});

test("the documentation's colours follow the theme of the system", async () => {
  const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
  for (const path of ['/', '/docs']) {
    await visiting({ path, scheme: 'light' }, async (page) => {
      assert.is(await background(page), 'rgb(255, 255, 255)');
    });
    await visiting({ path, scheme: 'dark' }, async (page) => {
      assert.is(await background(page), 'rgb(15, 18, 22)');
    });
  }
});

suiteOfBrowsers.run();
