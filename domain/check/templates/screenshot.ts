import { HOUR_SECONDS } from '../../time.ts';
import { inBrowser } from './template.ts';

export const screenshot = inBrowser({
  id: 'screenshot00',
  name: 'Screenshots of a page',
  description: 'Screenshots of the whole page on a desktop and on a phone, stored with the result of each run.',
  tags: ['browser', 'page', 'screenshot'],
  interval: HOUR_SECONDS,
  timeout: 60,
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// One screenshot for each: its name, and the size of the window.
const WINDOWS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

for (const [name, size] of Object.entries(WINDOWS)) {
  test('screenshot: ' + name, async ({ page }) => {
    await page.setViewportSize(size);

    const response = await test.step('open the page', () => page.goto(PAGE));
    expect(response.ok(), 'whether the page was found').toBe(true);

    await test.step('take the screenshot', async () => {
      // Wait for the fonts. Otherwise text may be missing or in another font.
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.screenshot({ path: name + '.png', fullPage: true });
    });
  });
}
`,
});
