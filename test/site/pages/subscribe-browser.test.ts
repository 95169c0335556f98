// Own process: a browser is open while the file runs.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { UNSUBSCRIBE } from '../../../domain/subscriber/links.ts';
import { testWith } from '../../deploy/project.ts';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { startSubscriptionSite } from './subscription-site.ts';

const suiteOfBrowsers = suite('subscribing in a browser');

const missing = noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);
const test = testWith(suiteOfBrowsers, missing === null);

const site = await startSubscriptionSite();
const group = await site.addGroup('Storefront');
await site.addComponent('Shop', { group_id: group });
await site.addComponent('Mail');
const incident = await site.addIncident('Checkout fails');
const ROOT = `http://127.0.0.1:${site.service.port}`;
const FORM = `${ROOT}/status/acme/subscribe`;
let browser: Browser | null = null;
suiteOfBrowsers.after(async () => {
  await browser?.close();
  await site.stop();
});

const visiting = async (
  path: string,
  options: BrowserContextOptions,
  inspect: (page: Page) => Promise<void>,
): Promise<void> => {
  browser ??= await openBrowser();
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // Browsers report the status 422 of a rejected form as an error, which is expected.
    if (!message.text().includes('422')) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(ROOT)) complaints.push(request.url());
  });
  try {
    await page.goto(path);
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

/** Returns the accessibility rules that a page breaks, each with the elements. */
const brokenOn = async (page: Page): Promise<string[]> => {
  await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Found> } };
    const found = await axe.run({ runOnly: tags });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, RULES);
};

const isAccessible = async (page: Page, what: string): Promise<void> => {
  assert.equal(await brokenOn(page), [], what);
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what);
};

test('a visitor can subscribe without scripts, using only the keyboard', async () => {
  await visiting(FORM, { javaScriptEnabled: false }, async (page) => {
    const email = page.getByLabel('E-mail address', { exact: true });
    assert.is(await page.getByLabel('Mobile number').isVisible(), false);
    assert.is(await page.getByRole('group', { name: 'Some components only' }).isVisible(), false);
    await page.getByRole('radio', { name: 'E-mail' }).focus();
    await page.keyboard.press('ArrowRight');
    assert.ok(await page.getByLabel('Mobile number').isVisible());
    assert.is(await email.isVisible(), false);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ida');
    await page.keyboard.press('Enter');
    await page.getByText('Enter an e-mail address').waitFor();
    assert.is(await email.inputValue(), 'ida');
    await email.fill('ida@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('checkbox', { name: 'Storefront' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Subscribe' }).press('Enter');
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  });
  const [subscriber] = await site.subscribers();
  assert.equal([subscriber?.['email'], subscriber?.['component_ids']], ['i***@example.com', [group]]);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`subscription pages break no accessibility rule and fit on a phone, ${colorScheme}`, async () => {
    const phone = { viewport: { width: 360, height: 740 }, colorScheme };
    await visiting(`${FORM}?incident=${incident}`, phone, async (page) => {
      await isAccessible(page, 'the form');
      await page.getByRole('radio', { name: 'Webhook' }).check();
      await page.getByRole('radio', { name: /Some components/ }).check();
      await page.getByRole('button', { name: 'Subscribe' }).click();
      await page.getByRole('alert').waitFor();
      await isAccessible(page, 'the form with problems');
    });
    await visiting(`${FORM}?done=email`, phone, (page) => isAccessible(page, 'what happens next'));
    await site.send('/status/acme/subscribe', { mode: 'email', email: 'otto@example.com', scope: 'page' });
    const { id } = (await site.subscribers()).find(({ email }) => email === 'o***@example.com') ?? {};
    const token = await site.tokenOf(UNSUBSCRIBE, `${String(id)}/1`);
    for (const name of ['manage', 'unsubscribe'])
      await visiting(`${ROOT}/subscriptions/${name}?token=${token}`, phone, (page) => isAccessible(page, name));
  });

test('subscription pages in right-to-left languages have a mirrored layout', async () => {
  await site.change({ language: 'ar' });
  await visiting(FORM, { viewport: { width: 360, height: 740 } }, async (page) => {
    assert.is(await page.evaluate('document.documentElement.dir'), 'rtl');
    const [radio, word] = [page.getByRole('radio', { name: 'E-mail' }), page.getByText('E-mail', { exact: true })];
    const [left, right] = [await word.boundingBox(), await radio.boundingBox()];
    assert.ok(left && right && left.x < right.x);
    await isAccessible(page, 'right to left');
  });
});

suiteOfBrowsers.run();
