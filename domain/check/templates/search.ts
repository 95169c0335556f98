import { inBrowser } from './template.ts';

export const search = inBrowser({
  id: 'search000000',
  name: 'Search',
  description: 'A search for an existing term finds it, and a search for a nonexistent term finds nothing.',
  tags: ['browser', 'search', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page with the search field, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// The search term, and a text that must be among the results.
const TERM = 'lamp';
const RESULT = 'Desk lamp';
// A term without results.
const NOTHING = 'xyzzy-no-such-thing';

const search = async (page, term) => {
  // A field of type "search", or a text field with a label that contains "search".
  const field = page.getByRole('searchbox').or(page.getByRole('textbox', { name: /search/i }));
  await field.first().fill(term);
  await field.first().press('Enter');
};

test('search finds existing items only', async ({ page }) => {
  page.setDefaultTimeout(10_000);

  await test.step('open the page', () => page.goto(PAGE));

  await test.step('search for "' + TERM + '"', () => search(page, TERM));

  await test.step('find "' + RESULT + '"', async () => {
    await expect(page.getByText(RESULT).first()).toBeVisible();
  });

  await test.step('search for a nonexistent item', () => search(page, NOTHING));

  await test.step('find nothing', async () => {
    await expect(page.getByText(RESULT)).toHaveCount(0);
  });
});
`,
});
