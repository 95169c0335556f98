import { inBrowser } from './template.ts';

export const pageText = inBrowser({
  id: 'pagetext0000',
  name: 'Text on a page',
  description: 'Each of some texts can be seen on the page, and none that tells of an error.',
  tags: ['browser', 'page', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check; '' is that URL itself.
const PAGE = '';
// Visitors have to see each of these …
const TEXTS = ['Example Domain'];
// … and none of these. Case does not matter.
const NEVER = ['Internal Server Error', 'Fatal error'];

test('the page says what it should', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE));

  // Soft expectations do not end the test: all that is missing is told at once.
  for (const text of TEXTS) {
    await test.step('see "' + text + '"', async () => {
      await expect.soft(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
    });
  }

  for (const text of NEVER) {
    await test.step('do not see "' + text + '"', async () => {
      await expect.soft(page.getByText(text).filter({ visible: true })).toHaveCount(0);
    });
  }
});
`,
});
