import { inBrowser } from './template.ts';

export const pageSpeed = inBrowser({
  id: 'pagespeed000',
  name: 'Page speed',
  description:
    'The loading time of a page in web vitals: time to first byte (TTFB), first contentful paint (FCP) and largest ' +
    'contentful paint (LCP). Each has a limit.',
  tags: ['browser', 'page', 'performance', 'web-vitals'],
  script: String.raw`
import { test, expect } from '@playwright/test';

// The page, relative to the URL of the check. '' is the URL itself.
const PAGE = '';
// Milliseconds from the start of the navigation. These are the usual limits for "good".
const LIMITS = { TTFB: 800, FCP: 1800, LCP: 2500 };
// How long no larger content must appear before LCP counts as final, in milliseconds.
const QUIET = 500;

test('the page is fast', async ({ page }) => {
  await test.step('open the page', () => page.goto(PAGE, { waitUntil: 'load' }));

  const vitals = await test.step('measure', () => page.evaluate(measure, QUIET));
  console.log('web vitals in milliseconds', JSON.stringify(vitals));

  for (const [name, limit] of Object.entries(LIMITS)) {
    await test.step(name + ' is at most ' + limit + ' ms', async () => {
      expect.soft(vitals[name], name + ' was measured').not.toBeNull();
      expect.soft(vitals[name] ?? 0, name + ' in milliseconds').toBeLessThanOrEqual(limit);
    });
  }
});

/** Runs in the page. */
function measure(quiet) {
  return new Promise((resolve) => {
    const [navigation] = performance.getEntriesByType('navigation');
    let largest = null;
    const done = () => {
      const [first] = performance.getEntriesByName('first-contentful-paint');
      resolve({
        TTFB: Math.round(navigation.responseStart),
        FCP: first ? Math.round(first.startTime) : null,
        LCP: largest,
      });
    };
    let timer = setTimeout(done, quiet);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) largest = Math.round(entry.startTime);
      clearTimeout(timer);
      timer = setTimeout(done, quiet);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
}
`,
});
