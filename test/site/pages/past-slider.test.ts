import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sliderRange } from '../../../views/status/as-of-bar.tsx';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { startPublishedSite, type PublishedSite } from './published-site.ts';

const test = suite<{ site: PublishedSite; browser: Browser }>('the slider of past states of a status page');

test.before(async (context) => {
  context.site = await startPublishedSite();
  context.site.pass(30 * 86_400);
  context.browser = await openBrowser();
});
test.after(async ({ site, browser }) => {
  await browser.close();
  await site.stop();
});

const HOUR_S = 3_600;

test('a step of the slider is proportional to the length of the history, and the shown moment is one of the steps', () => {
  const from = 1_795_000_007;
  for (const hours of [0, 1, 24, 365 * 24]) {
    const until = from + hours * HOUR_S + 11;
    for (const at of [from, Math.floor((from + until) / 2), until]) {
      const { min, max, step } = sliderRange({ from, until }, at);
      assert.is((at - min) % step, 0);
      assert.ok(min >= from && min <= at && min < from + step);
      assert.is(max, until);
      assert.ok(step >= 60 && (until - from) / step <= 500);
    }
  }
  assert.is(sliderRange({ from, until: from + HOUR_S }, from).step, 60);
});

/** Opens the slider on the history page. */
const openSlider = async ({ site, browser }: { site: PublishedSite; browser: Browser }): Promise<Page> => {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${site.service.port}/status/acme/history`);
  await page.locator('.past-states > summary').click();
  await page.locator('.moment output:not(:empty)').waitFor();
  return page;
};

test('arrow keys move the slider without loading a page, and the button then shows the selected moment', async (context) => {
  const page = await openSlider(context);
  const slider = page.getByRole('slider');
  const before = await page.locator('.moment output').innerText();
  await slider.focus();
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowLeft');
  assert.not.equal(await page.locator('.moment output').innerText(), before);
  assert.is(await slider.getAttribute('aria-valuetext'), await page.locator('.moment output').innerText());
  assert.ok(await slider.evaluate((element) => element === document.activeElement));
  assert.not.match(page.url(), 'at=');
  const chosen = await slider.inputValue();
  await page.getByRole('button', { name: 'Show' }).last().click();
  await page.locator('.as-of').waitFor();
  assert.match(page.url(), `at=${chosen}`);
  assert.is(await page.getByRole('slider').first().inputValue(), chosen);
  await page.close();
});

test('a moment that is selected with a pointer is shown immediately', async (context) => {
  const page = await openSlider(context);
  // Playwright clicks on the middle of the slider.
  await page.getByRole('slider').click();
  await page.locator('.as-of').waitFor();
  assert.match(page.url(), 'at=');
  await page.close();
});

const missing = noBrowser();
if (missing === null) test.run();
else console.log(`skipped: ${missing}`);
