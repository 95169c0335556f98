import { inBrowser } from './template.ts';

export const pageTitle = inBrowser({
  id: 'pagetitle000',
  name: 'Page title',
  description: 'The page has the expected title, and not that of an error page or a parked domain.',
  tags: ['browser', 'page'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// The whole title as a string, or a part of it as a regular expression: /Example/.
const TITLE = 'Example Domain';

test('the page has the expected title', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE));

  await test.step('check the title', async () => {
    await expect(page).toHaveTitle(TITLE);
  });
});
`,
});
