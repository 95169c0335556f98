import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser } from '../browser.ts';
import { fillSamples, type Samples } from './sample.ts';
import { isTooWide, openSite, unfold, visibleText, type Site, type Visit } from './visits.ts';

const test = suite<{ site: Site; samples: Samples; visit: Visit }>('visitors of a status page');

test.before(async (context) => {
  context.site = await openSite();
  context.samples = await fillSamples(context.site.call);
});
test.after(({ site }) => site.stop());

/** Returns the tag and the name of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return `${element?.className ?? ''} ${element?.getAttribute('aria-label') ?? element?.textContent ?? ''}`.trim();
  });

/** Returns the addresses of all kinds of pages. */
const addresses = (site: Site, { acme, incident, maintenance, underWay }: Samples): string[] => [
  site.at('acme'),
  `${site.at('acme')}?range=24h`,
  site.at('calm'),
  site.at('upkeep'),
  site.at('fresh'),
  site.at('he'),
  site.at('acme', `incidents/${incident}`),
  site.at('acme', `maintenances/${maintenance}`),
  site.at('upkeep', `maintenances/${underWay}`),
  site.at('acme', `components/${acme.reports}`),
  site.at('acme', `components/${acme.shop}`),
  site.at('acme', `groups/${acme.office}`),
  site.at('acme', 'history'),
  site.at('acme', 'history?q=invoices'),
];

test('a visitor can use a status page with the keyboard alone', async ({ site, samples }) => {
  const { page, faults, close } = await site.visit();
  await page.goto(site.at('acme'));
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'skip Skip to content');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  assert.is(await focused(page), 'Checkout fails for some cards', 'the header is skipped');

  const stops: string[] = [];
  while (!(await focused(page)).startsWith('Website')) {
    stops.push(await focused(page));
    await page.keyboard.press('Tab');
  }
  assert.is(stops.filter((stop) => stop.startsWith('strip')).length, 6, 'one stop for each component');

  const group = page.locator('.group > summary').first();
  await group.focus();
  await page.keyboard.press('Enter');
  assert.is(await page.locator('.row .name').first().isVisible(), false);
  await page.keyboard.press('Enter');

  const strip = page.getByRole('slider', { name: /^Shop – / });
  const details = page.locator('.popover');
  await strip.focus();
  assert.match(await details.innerText(), /: Partial outage, \d/, 'today');
  await page.keyboard.press('ArrowLeft');
  assert.match(await details.innerText(), /: Operational$/);
  assert.is(await strip.getAttribute('aria-valuetext'), await details.innerText());
  await page.keyboard.press('Escape');
  assert.is(await details.isVisible(), false);
  await page.keyboard.press('Home');
  assert.is(await strip.getAttribute('aria-valuenow'), '1');
  await page.keyboard.press('End');
  for (let day = 0; day < 5; day++) await page.keyboard.press('ArrowLeft');
  assert.match(await details.innerText(), /: Major outage, 24 min$/);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname.endsWith(`components/${samples.acme.shop}`) && url.hash !== '');
  assert.match(await page.locator('tr:target').innerText(), 'Shop is unreachable');

  await page.goto(site.at('acme'));
  await page.getByRole('link', { name: '24 h' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/range=24h/);
  assert.is(await page.locator('.tabs [aria-current]').innerText(), '24 h');
  assert.equal(faults, []);
  await close();
});

test('the slider of a page’s history shows its time, and still does after a live update', async ({ site }) => {
  const { page, faults, close } = await site.visit();
  await page.goto(site.at('acme', 'history'));
  await unfold(page);
  const slider = page.locator('input[data-moment]');
  const shown = page.locator('#moment');
  await shown.filter({ hasText: /\d{4}/ }).waitFor();
  const first = await shown.innerText();
  // A live update morphs the form into the one that the server sends, whose output is empty.
  await page.evaluate(() => {
    document.querySelector('#moment')?.replaceChildren();
    document.querySelector('input[data-moment]')?.removeAttribute('aria-valuetext');
    document.dispatchEvent(new Event('live:updated'));
  });
  assert.is(await shown.innerText(), first);
  assert.is(await slider.getAttribute('aria-valuetext'), first);
  await page.locator('.moment button').click();
  await page.locator('.as-of').waitFor();
  assert.equal(faults, []);
  await close();
});

test('a visitor can use a status page with a pointer and with a finger', async ({ site }) => {
  for (const hasTouch of [false, true]) {
    const { page, faults, close } = await site.visit({ hasTouch, isMobile: hasTouch });
    await page.goto(site.at('acme'));
    const strip = page.getByRole('slider', { name: /^Shop – / });
    await strip.scrollIntoViewIfNeeded();
    const box = await strip.locator('> svg').boundingBox();
    assert.ok(box);
    const today: [number, number] = [box.x + box.width - 2, box.y + 10];
    if (hasTouch) await page.touchscreen.tap(...today);
    else await page.mouse.move(...today);
    const details = page.locator('.popover');
    await details.getByText(/: Partial outage, /).waitFor();
    assert.is(await isTooWide(page), false);
    assert.equal(faults, []);
    await close();
  }
});

test('a visitor can read a status page without JavaScript', async ({ site }) => {
  const { page, faults, close } = await site.visit({ javaScriptEnabled: false });
  await page.goto(site.at('acme'));
  const text = await visibleText(page);
  for (const words of ['Partial system outage', 'Checkout fails for some cards', '100% uptime', 'Database upgrade'])
    assert.match(text, words);
  await page.getByText('1 earlier update').click();
  await page.getByText('Some customers can’t pay by card.').waitFor();
  await page.getByRole('link', { name: '7 days' }).click();
  assert.is(await page.locator('.tabs [aria-current]').innerText(), '7 days');
  await page.getByRole('link', { name: 'Shop', exact: true }).last().click();
  assert.match(await page.getByRole('table').innerText(), 'Shop is unreachable');
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('searchbox').fill('invoices');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('heading', { name: '1 incident' }).waitFor();
  await page.getByText(/^Times in/).click();
  await page.getByLabel('Language').selectOption('Deutsch');
  await page.getByLabel('Appearance').selectOption('Dark');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('heading', { name: 'Verlauf' }).waitFor();
  await page.goto(site.at('acme'));
  assert.is(await page.locator('html').getAttribute('data-theme'), 'dark');
  await page.getByRole('heading', { name: 'Komponenten' }).waitFor();
  assert.equal(faults, []);
  await close();
});

test('a visitor can read a status page on a phone, and enlarged to 200 % or 400 %, without scrolling sideways', async ({
  site,
  samples,
}) => {
  for (const width of [640, 360, 320]) {
    const { page, faults, close } = await site.visit({ viewport: { width, height: 640 }, deviceScaleFactor: 2 });
    for (const address of addresses(site, samples)) {
      await page.goto(address);
      await unfold(page);
      assert.is(await isTooWide(page), false, `${address} at ${width} px`);
    }
    assert.equal(faults, []);
    await close();
  }
});

test('a visitor on a phone sees problems at the top of a status page', async ({ site }) => {
  const { page, close } = await site.visit({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });
  await page.goto(site.at('acme'));
  const banner = await page.locator('.banner').boundingBox();
  assert.ok(banner && banner.y < 100 && banner.y + banner.height < 300, JSON.stringify(banner));
  await close();
});

test('a visitor can read a status page from right to left, with English words from left to right', async ({ site }) => {
  const { page, close } = await site.visit();
  await page.goto(site.at('he'));
  assert.is(await page.locator('html').getAttribute('dir'), 'rtl');
  assert.is(await page.locator('html').getAttribute('lang'), 'en');
  /** Returns the horizontal positions at which the characters of a text begin and end. */
  const order = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        if (!text) throw new Error('There is no text.');
        const at = (index: number): number => {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + 1);
          return range.getBoundingClientRect().left;
        };
        return at(0) < at((text.textContent ?? '').length - 1);
      });
  assert.is(await order('.tabs a'), true, '24 h, not h 24');
  assert.is(await order('.ends span'), true, '90 days ago');
  assert.is(await order('.uptime'), true, '99.98% uptime');
  assert.is(await order('.site-header .brand'), false, 'the name is in Hebrew');
  const [banner, main] = await Promise.all(['.banner h1', 'main'].map((one) => page.locator(one).boundingBox()));
  assert.ok(banner && main && banner.x + banner.width > main.x + main.width / 2, 'the heading is on the right');
  await page.getByRole('slider', { name: /^Shop – / }).focus();
  await page.keyboard.press('ArrowRight');
  const strip = page.getByRole('slider', { name: /^Shop – / });
  assert.is(await strip.getAttribute('aria-valuenow'), '89', 'the right is the past');
  await close();
});

test('a visitor sees the times on a status page in the visitor’s own time zone, in that of the page, or in UTC', async ({
  site,
  samples,
}) => {
  const { page, close } = await site.visit({ timezoneId: 'Asia/Tokyo' });
  const time = page.locator('.timeline time').first();
  await page.goto(site.at('acme', `incidents/${samples.incident}`));
  assert.match(await time.innerText(), 'GMT+9');
  const instant = Date.parse((await time.getAttribute('datetime')) ?? '');
  const hour = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', hour: '2-digit', hourCycle: 'h23' });
  assert.match(await time.innerText(), `${hour.format(instant)}:`);
  assert.match(await page.locator('[data-zone-name]').innerText(), 'Asia/Tokyo');
  for (const [zone, shown] of [
    ['page', /GMT\+[12]|CES?T/],
    ['utc', /UTC/],
  ] as const) {
    await page.locator('.choices > summary').click();
    await page.getByLabel('Time zone').selectOption(zone);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForLoadState();
    await page.goto(site.at('acme', `incidents/${samples.incident}`));
    assert.match(await time.innerText(), shown);
  }
  await close();
});

test('a visitor can print a status page', async ({ site }) => {
  const { page, close } = await site.visit();
  await page.emulateMedia({ media: 'print' });
  await page.goto(site.at('acme'));
  for (const selector of ['.site-header nav', '.tabs', '.choices', '.links', '.skip'])
    assert.is(await page.locator(selector).isVisible(), false, selector);
  for (const selector of ['.banner h1', '.incident', '.strip', '.uptime', '.past'])
    assert.is(await page.locator(selector).first().isVisible(), true, selector);
  assert.ok((await page.pdf()).length > 1_000);
  await close();
});

test('a visitor who prefers reduced motion sees a status page without animations', async ({ site }) => {
  const { page, close } = await site.visit({ reducedMotion: 'reduce' });
  await page.goto(site.at('acme'));
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')].flatMap((element) => {
      const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
      return transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior !== 'auto'
        ? [element.outerHTML.slice(0, 100)]
        : [];
    }),
  );
  assert.equal(moving, []);
  await close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
