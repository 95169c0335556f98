import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { HOSTILE, startPicturesSite, type PicturesSite } from './pictures-site.ts';

const test = suite<{ site: PicturesSite; browser: Browser }>('the banner and the head of a page in a browser');

const SHOP = 'https://shop.example';
const STATUS = 'https://status.example';

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());
test.before.each(async (context) => {
  context.site = await startPicturesSite({ allow_embedding: [SHOP] });
});
test.after.each(({ site }) => site.stop());

/**
 * Opens a shop's page that embeds part of a status page. The policy of the shop forbids style elements.
 *
 * @returns the errors on the shop's page
 */
const shopWith = async ({ site, browser }: { site: PicturesSite; browser: Browser }, html: string, origin = SHOP) => {
  const page = await browser.newPage({ colorScheme: 'dark' });
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') violations.push(message.text());
  });
  page.on('dialog', (dialog) => {
    violations.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**/*', async (route) => {
    const { origin: requestOrigin, pathname, search } = new URL(route.request().url());
    if (requestOrigin === origin && pathname === '/') {
      const policy = `default-src 'none'; script-src ${STATUS}; connect-src ${STATUS}; frame-src ${STATUS}`;
      await route.fulfill({
        headers: { 'content-type': 'text/html', 'content-security-policy': policy },
        body: `<!doctype html><body>${html}</body>`,
      });
      return;
    }
    if (requestOrigin !== STATUS) {
      await route.fulfill({ status: 404 });
      return;
    }
    const { origin: by = '', accept = '*/*' } = route.request().headers();
    const { status, headers, bytes } = await site.get(`${pathname}${search}`, {
      'accept-encoding': 'identity',
      ...(by !== '' && { origin: by }),
      accept,
    });
    await route.fulfill({ status, headers: Object.fromEntries(headers), body: bytes });
  });
  await page.goto(origin);
  return { page, violations };
};

const SCRIPT = `<script async src="${STATUS}/embed.js"></script>`;
const incident = (name: string): object => ({
  name,
  status: 'investigating',
  body: 'We look into it.',
  components: {},
});

/** Adds the embed script to a page, and waits until it requests the banner. */
const addScript = async (page: Page): Promise<void> => {
  const answer = page.waitForResponse((response) => response.url().includes('/embed.json'));
  await page.evaluate((src) => {
    const script = document.createElement('script');
    script.src = src;
    document.body.append(script);
  }, `${STATUS}/embed.js`);
  await answer;
};

test('the banner shows problems as text on a page with a strict security policy', async (context) => {
  for (const hostile of HOSTILE.slice(0, 5)) await context.site.post('/incidents', incident(hostile));
  await context.site.post('/components', { name: 'API', status: 'major_outage' });
  const { page, violations } = await shopWith(context, SCRIPT);
  const banner = page.getByRole('status');
  await banner.waitFor();
  assert.match(await banner.innerText(), 'Major system outage');
  assert.is(await banner.evaluate((element) => element.querySelectorAll('script, image, img, svg').length), 0);
  const background = await banner.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.is(background, 'rgb(24, 28, 34)', 'dark, as the visitor prefers');
  assert.is(await page.getByRole('link', { name: 'Details' }).getAttribute('href'), `${STATUS}/`);
  await page.getByRole('button', { name: 'Close' }).click();
  assert.is(await banner.count(), 0);
  assert.equal(violations, []);
  await page.close();
});

test('the banner is not shown while all components are operational', async (context) => {
  const quiet = await shopWith(context, '');
  await addScript(quiet.page);
  assert.is(await quiet.page.getByRole('status').count(), 0);
  assert.equal(quiet.violations, []);
  await quiet.page.close();
});

test('the embeddable page loads in frames of sites that the status page allows', async (context) => {
  const html = `<iframe src="${STATUS}/embed"></iframe>`;
  const allowed = await shopWith(context, html);
  await allowed.page.frameLocator('iframe').getByText('All systems operational').waitFor();
  assert.equal(allowed.violations, []);
  await allowed.page.close();
  const other = await shopWith(context, html, 'https://other.example');
  assert.is(await other.page.frameLocator('iframe').getByText('All systems operational').count(), 0);
  assert.match(other.violations.join('\n'), 'frame-ancestors');
  await other.page.close();
});

test('the security policy of a page allows structured data in its head, which browsers do not run', async (context) => {
  await context.site.patch('', { name: '</script><script>alert(1)</script>' });
  const { page, violations } = await shopWith(context, '');
  await page.goto(`${STATUS}/`);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '') as object;
  assert.is((data as { name: string }).name, '</script><script>alert(1)</script>');
  assert.is(await page.locator('link[rel="manifest"]').count(), 1);
  assert.equal(violations, []);
  await page.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
