// Own process: a browser is open while the file runs.
import type { Browser, BrowserContext } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noBrowser, openBrowser } from '../../e2e/browser.ts';
import { everyPath, ROUNDS, startHostile, type HostileSite } from './site.ts';

const tests = suite<{ hostile: HostileSite; browser: Browser }>('a status page with hostile texts in a browser');
const missing = noBrowser();
if (missing !== null) console.log(`skipped: ${missing}`);
const test = missing === null ? tests : tests.skip.bind(tests);

tests.before(async (context) => {
  if (missing !== null) return;
  context.hostile = await startHostile();
  context.browser = await openBrowser();
});
tests.after(async ({ hostile, browser }) => {
  if (missing !== null) return;
  await browser.close();
  await hostile.stop();
});

/**
 * Opens a page in a browser. Returns everything that the page does besides being displayed, such as dialogs and
 * requests to other hosts. The popover of bars is ignored, because our own script sets its style.
 */
const watched = async (context: BrowserContext, address: string): Promise<string[]> => {
  const { origin } = new URL(address);
  const seen: string[] = [];
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    seen.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|violates/i.test(message.text())) seen.push(`console ${message.text()}`);
  });
  page.on('pageerror', (error) => seen.push(`error ${error.message}`));
  page.on('popup', () => seen.push('popup'));
  page.on('download', (download) => seen.push(`download ${download.url()}`));
  page.on('framenavigated', (frame) => {
    if (frame.url() !== address && frame.url() !== 'about:blank') seen.push(`navigation to ${frame.url()}`);
  });
  const elsewhere = new Set<string>();
  page.on('request', (request) => {
    const { protocol, origin: requestOrigin } = new URL(request.url());
    if (requestOrigin === origin || protocol === 'data:') return;
    // Pictures are allowed from the origins that the policy of the page lists. Icons have the type `other`.
    if (/^(?:image|other)$/.test(request.resourceType())) elsewhere.add(requestOrigin);
    else seen.push(`request to ${request.url()}`);
  });
  const response = await page.goto(address, { waitUntil: 'load' });
  const policy = response?.headers()['content-security-policy'] ?? '';
  const pictures = /img-src ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
  for (const one of elsewhere) if (!pictures.includes(one)) seen.push(`picture from ${one}`);
  // Moves the pointer and the focus to trigger code that reacts to them.
  await page.mouse.move(300, 200);
  for (let stop = 0; stop < 8; stop++) await page.keyboard.press('Tab');
  seen.push(
    ...(await page.evaluate(() =>
      [...document.querySelectorAll('*:not(.popover)')].flatMap((element) =>
        [...element.attributes].flatMap(({ name, value }) =>
          /^on|^style$|^srcdoc$/i.test(name) ||
          (/^(?:href|src|action|formaction)$/i.test(name) && /^\s*(?:javascript|data|vbscript):/i.test(value))
            ? [`attribute ${name}="${value}"`]
            : [],
        ),
      ),
    )),
  );
  await page.close();
  return seen;
};

for (let round = 0; round < ROUNDS; round++)
  test(`hostile texts can't run scripts, load files or navigate in a browser, round ${round + 1} of ${ROUNDS}`, async ({
    hostile,
    browser,
  }) => {
    const { site, ids, attack } = hostile;
    await attack(round);
    const context = await browser.newContext({ acceptDownloads: false });
    try {
      const root = `http://127.0.0.1:${site.service.port}/status/acme/`;
      const paths = everyPath(ids).filter((path) => !/\.|^embed|^access|^sign-in/.test(path));
      assert.ok(paths.length >= 5);
      for (const path of [...paths, 'badge.svg', 'favicon.svg', 'embed'])
        assert.equal(await watched(context, root + path), [], path);
    } finally {
      await context.close();
    }
  });

test("custom rules of a page can't hide or change the states of components in a browser", async ({
  hostile,
  browser,
}) => {
  const { site, attack, ids } = hostile;
  const page = await browser.newPage();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await attack(round);
      await page.goto(`http://127.0.0.1:${site.service.port}/status/acme/groups/${ids.group}`);
      const pills = await page.evaluate(() =>
        [...document.querySelectorAll('.pill')].map((pill) => {
          const { color, backgroundColor, display, opacity, visibility } = getComputedStyle(pill);
          const { width, height } = pill.getBoundingClientRect();
          return { color, backgroundColor, display, opacity, visibility, width, height };
        }),
      );
      assert.ok(pills.length > 0);
      for (const { color, backgroundColor, display, opacity, visibility, width, height } of pills) {
        assert.equal(
          [color, backgroundColor, opacity, visibility],
          ['rgb(160, 18, 25)', 'rgb(255, 255, 255)', '1', 'visible'],
        );
        assert.match(display, /flex$/);
        assert.ok(width > 20 && height > 10);
      }
    }
  } finally {
    await page.close();
  }
});

tests.run();
