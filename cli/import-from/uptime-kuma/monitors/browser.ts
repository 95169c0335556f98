import { checkUrlOf } from '../../url.ts';
import { text } from '../../rows.ts';
import type { MonitorMapping } from './draft.ts';
import { timeLimitOf } from './time-limit.ts';

const LONGEST_SCRIPT = 120;

/** The script of a check that opens a page. A status below 400 is right, as for Uptime Kuma. */
const scriptOf = (url: string): string => `import { expect, test } from '@playwright/test';

test('the page opens', async ({ page }) => {
  const response = await page.goto(${JSON.stringify(url)});
  expect(response?.status()).toBeGreaterThanOrEqual(200);
  expect(response?.status()).toBeLessThan(400);
});
`;

/** Maps a monitor of the type `real-browser` to a script that opens the page in a browser. */
export const browser: MonitorMapping = (monitor) => {
  const target = checkUrlOf(text(monitor.row, 'url'));
  if (target === null) {
    monitor.remarks.about(monitor.name, 'was not imported, because its URL is not one that a browser can open.');
    return null;
  }
  const script = {
    type: 'synthetic',
    timeout: timeLimitOf(monitor, LONGEST_SCRIPT),
    parameters: { pw_script: scriptOf(target.url) },
  };
  if (target.username === '') return script;
  monitor.remarks.about(
    monitor.name,
    'was imported paused without the credentials in its URL. Bind them as secrets of the script.',
  );
  return { ...script, paused: true };
};
