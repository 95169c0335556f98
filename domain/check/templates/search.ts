import { inBrowser } from './template.ts';

export const search = inBrowser({
  id: 'search000000',
  name: 'Search',
  description: 'A visitor searches for something, and finds it; what does not exist is not found.',
  tags: ['browser', 'search', 'content'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page with the search field, relative to the URL of the check; '' is that URL itself.
const PAGE = '';
// What is searched for, and what has to be among the results.
const TERM = 'lamp';
const RESULT = 'Desk lamp';
// What nobody has.
const NOTHING = 'xyzzy-no-such-thing';

const search = async (page, term) => {
  // A field of type "search", or any that is called so.
  const field = page.getByRole('searchbox').or(page.getByRole('textbox', { name: /search/i }));
  await field.first().fill(term);
  await field.first().press('Enter');
};

test('search finds what there is', async ({ page }) => {
  page.setDefaultTimeout(10_000);

  await test.step('open the page', () => page.goto(PAGE));

  await test.step('search for "' + TERM + '"', () => search(page, TERM));

  await test.step('find "' + RESULT + '"', async () => {
    await expect(page.getByText(RESULT).first()).toBeVisible();
  });

  await test.step('search for what does not exist', () => search(page, NOTHING));

  await test.step('find nothing', async () => {
    await expect(page.getByText(RESULT)).toHaveCount(0);
  });
});
`,
});
