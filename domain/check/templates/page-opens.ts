import { inBrowser } from './template.ts';

export const pageOpens = inBrowser({
  id: 'pageopens000',
  name: 'Page opens',
  description: 'A browser opens the page. The server responds without an error, and no script of the page throws.',
  tags: ['browser', 'page'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';

test('the page opens', async ({ page }) => {
  // Uncaught errors of scripts on the page.
  const thrown = [];
  page.on('pageerror', (error) => thrown.push(error.message));

  const response = await test.step('open the page', () => page.goto(PAGE));

  await test.step('the server responds without an error', async () => {
    expect(response.status(), 'the status of the page').toBeLessThan(400);
  });

  await test.step('the page is not empty', async () => {
    await expect(page.locator('body')).not.toBeEmpty();
  });

  await test.step('no script of the page throws', async () => {
    expect(thrown, 'errors of the page').toEqual([]);
  });
});
`,
});
