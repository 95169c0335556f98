import { inBrowser } from './template.ts';

export const screenshot = inBrowser({
  id: 'screenshot00',
  name: 'Screenshots of a page',
  description: 'Pictures of the whole page as it looks on a desktop and on a phone, kept with the result of each run.',
  tags: ['browser', 'page', 'screenshot'],
  interval: 3_600,
  timeout: 60,
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check; '' is that URL itself.
const PAGE = '';
// A picture each: its name, and how large the window is.
const WINDOWS = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

for (const [name, size] of Object.entries(WINDOWS)) {
  test('how it looks: ' + name, async ({ page }) => {
    await page.setViewportSize(size);

    const response = await test.step('open the page', () => page.goto(PAGE));
    expect(response.ok(), 'whether the page was found').toBe(true);

    await test.step('take the picture', async () => {
      // Otherwise the text may be missing, or be in another font.
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.screenshot({ path: name + '.png', fullPage: true });
    });
  });
}
`,
});
