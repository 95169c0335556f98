import { inBrowser } from './template.ts';

export const pageText = inBrowser({
  id: 'pagetext0000',
  name: 'Text on a page',
  description: 'The page shows the expected texts and no error message.',
  tags: ['browser', 'page', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// All of these texts must be visible …
const TEXTS = ['Example Domain'];
// … and none of these. Case is ignored.
const NEVER = ['Internal Server Error', 'Fatal error'];

test('the page shows the expected texts', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE));

  // Soft expectations do not end the test, so one run reports all missing texts.
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
