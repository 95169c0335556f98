import { inBrowser } from './template.ts';

export const waitingForContent = inBrowser({
  id: 'waitcontent0',
  name: 'Waiting for content',
  description: 'Content that the page loads later appears in time and replaces its placeholder.',
  tags: ['browser', 'page', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// The expected content, as a CSS selector or as 'text=…'.
const CONTENT = '#content';
// The placeholder until then, as a CSS selector.
const PLACEHOLDER = '.loading';
// The maximum waiting time, in milliseconds.
const WITHIN = 10_000;

test('the content appears', async ({ page }) => {
  // Wait only for the document. The test waits for the rest.
  await test.step('open the page', () => page.goto(PAGE, { waitUntil: 'domcontentloaded' }));

  const from = Date.now();
  await test.step('wait for the content', async () => {
    const content = page.locator(CONTENT).first();
    await expect(content).toBeVisible({ timeout: WITHIN });
    await expect(content).not.toBeEmpty({ timeout: WITHIN });
  });
  console.log('the content appeared after ' + (Date.now() - from) + ' ms');

  await test.step('the placeholder is gone', async () => {
    await expect(page.locator(PLACEHOLDER).filter({ visible: true })).toHaveCount(0);
  });
});
`,
});
