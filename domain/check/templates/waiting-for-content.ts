import { inBrowser } from './template.ts';

export const waitingForContent = inBrowser({
  id: 'waitcontent0',
  name: 'Waiting for content',
  description:
    'Content that the page loads when it is open already comes in time, and whatever stood there for it is gone.',
  tags: ['browser', 'page', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check; '' is that URL itself.
const PAGE = '';
// What has to come, as a CSS selector or as 'text=…'.
const CONTENT = '#content';
// What is there until then, as a CSS selector.
const PLACEHOLDER = '.loading';
// How long a visitor may wait for it, in milliseconds.
const WITHIN = 10_000;

test('the content comes', async ({ page }) => {
  // The document alone: the rest is what we wait for.
  await test.step('open the page', () => page.goto(PAGE, { waitUntil: 'domcontentloaded' }));

  const from = Date.now();
  await test.step('wait for the content', async () => {
    const content = page.locator(CONTENT).first();
    await expect(content).toBeVisible({ timeout: WITHIN });
    await expect(content).not.toBeEmpty({ timeout: WITHIN });
  });
  console.log('the content came after ' + (Date.now() - from) + ' ms');

  await test.step('what stood there for it is gone', async () => {
    await expect(page.locator(PLACEHOLDER).filter({ visible: true })).toHaveCount(0);
  });
});
`,
});
