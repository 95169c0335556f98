import { inBrowser } from './template.ts';

export const pageOpens = inBrowser({
  id: 'pageopens000',
  name: 'Page opens',
  description: 'A browser opens the page: the server answers without an error, and no script of the page breaks.',
  tags: ['browser', 'page'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check; '' is that URL itself.
const PAGE = '';

test('the page opens', async ({ page }) => {
  // What scripts of the page throw, and nobody catches.
  const thrown = [];
  page.on('pageerror', (error) => thrown.push(error.message));

  const response = await test.step('open the page', () => page.goto(PAGE));

  await test.step('the server answers without an error', async () => {
    expect(response.status(), 'the status of the page').toBeLessThan(400);
  });

  await test.step('there is something on the page', async () => {
    await expect(page.locator('body')).not.toBeEmpty();
  });

  await test.step('no script of the page breaks', async () => {
    expect(thrown, 'errors of the page').toEqual([]);
  });
});
`,
});
