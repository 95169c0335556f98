import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BeginMessage, PageRecord } from '../../../../probes/script/protocol.ts';
import { findScriptPrograms } from '../../../../probes/script/programs.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import { nobodyListens, pagesServer } from './pages-server.ts';
import { inTime, scriptRuns, testsOfOwn, treeOf } from './scripts.ts';

/* Records of script runs with a browser. */

const tests = suite('scripts that use a browser');
const { chromium, ffmpeg } = await findScriptPrograms({ chromium: null });
if (chromium === null) console.log('skipped: chromium is not installed');
if (ffmpeg === null) console.log('skipped: ffmpeg is not installed');
const test = chromium === null ? tests.skip.bind(tests) : tests;
const testOfVideo = chromium === null || ffmpeg === null ? tests.skip.bind(tests) : tests;

const { url } = await pagesServer(tests);
const nobody = await nobodyListens();
const { run, connections } = await scriptRuns(tests);

const HEAD = "import { test, expect, devices, chromium } from '@playwright/test';\n";
const synthetic = (script: string, begin: Partial<BeginMessage> = {}): Promise<RunRecord> =>
  run('synthetic', HEAD + script, { url, ...begin });

const endsOf = (record: RunRecord): string[] =>
  record.tests.map(({ titles, status }) => `${titles.join(' › ')}: ${status}`);
const errorsOf = (record: RunRecord): string[] =>
  record.tests.flatMap(({ errors }) => errors.map(({ message }) => message.split('\n')[0] ?? ''));
const pathsOf = ({ pages }: RunRecord): string[] => pages.map((page) => page.url.replace(url, ''));
const first = ({ pages: [page] }: RunRecord): PageRecord => {
  if (!page) throw new Error('There is no page.');
  return page;
};

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const isPng = (path: string): boolean => readFileSync(path).subarray(0, 8).equals(PNG);

test('the record of a page contains what the page loaded, and how fast', async () => {
  const record = await synthetic(`
    test('opens', async ({ page }) => {
      await test.step('goes there', async () => { await page.goto('/'); });
      await expect(page).toHaveTitle('Shop');
      await page.getByRole('button', { name: 'Buy' }).click();
    });`);
  assert.equal([endsOf(record), record.end, record.files], [['opens: passed'], { how: 'done' }, []]);
  assert.match(record.browser ?? '', /^Chromium \d+\.\d+/);
  const steps = record.tests[0]?.steps.filter(({ category }) => category !== 'hook') ?? [];
  assert.equal(treeOf(steps), [
    'goes there',
    '  Navigate /',
    'Expect "toHaveTitle"',
    "Click getByRole('button', { name: 'Buy' })",
  ]);
  const page = first(record);
  assert.equal([page.test, page.url, page.requests, record.pages.length], [0, `${url}/`, page.network.length, 1]);
  const { documentRequest } = page;
  assert.equal(
    [documentRequest?.method, documentRequest?.statusCode, documentRequest?.resourceType],
    ['GET', 200, 'document'],
  );
  assert.match(documentRequest?.responseHeaders['content-type'] ?? '', /^text\/html/);
  assert.ok(documentRequest?.requestHeaders['user-agent']);
  assert.ok(documentRequest.timing.startTime > 0 && documentRequest.timing.responseEnd > 0);
  for (const measured of [...Object.values(page.webVitals), page.load, page.domContentLoaded])
    assert.type(measured, 'number');
  assert.is(page.duration, page.load);
});

test('each navigation, popup and redirect is recorded as a page, but blank pages are not', async () => {
  const record = await synthetic(`
    test('goes round', async ({ page, context, browser }) => {
      await page.goto('/redirect');
      await page.getByRole('link').click();
      await expect(page.getByText('Next page')).toBeVisible();
      await page.goto('about:blank');
      await page.setContent('<p>Nothing</p>');
      await page.goto('/popup');
      const [popup] = await Promise.all([context.waitForEvent('page'), page.getByRole('button').click()]);
      await expect(popup.getByText('Next page')).toBeVisible();
    });
    test('opens its own', async ({ browser }) => {
      const page = await browser.newPage();
      await page.goto('/next');
      await page.close();
    });`);
  assert.equal(endsOf(record), ['goes round: passed', 'opens its own: passed']);
  assert.equal(pathsOf(record), ['/', '/next', '/popup', '/next', '/next']);
  assert.equal(
    record.pages.map((page) => page.test),
    [0, 0, 0, 0, 1],
  );
  const [redirected] = record.pages;
  assert.equal(
    redirected?.network.slice(0, 2).map(({ statusCode }) => statusCode),
    [302, 200],
  );
});

test('the error page of the browser is not measured', async () => {
  const record = await synthetic(`
    test('one', async ({ page }) => {
      await page.goto('http://127.0.0.1:9/').catch(() => undefined);
      await page.waitForTimeout(300);
    });`);
  const page = first(record);
  assert.is(page.url, 'http://127.0.0.1:9/');
  assert.equal(page.webVitals, { FCP: null, LCP: null, TTFB: null });
  assert.equal([page.load, page.documentRequest?.statusCode], [null, null]);
});

test('only the first twenty pages of a script are recorded', async () => {
  const record = await synthetic(
    "test('one', async ({ page }) => { for (let n = 0; n < 22; n++) await page.goto('/next?' + n); });",
  );
  assert.is(record.pages.length, 20);
  assert.equal(record.notes, ['Only the first 20 pages are stored.']);
});

test('the first fifty requests of a page are recorded, with the total', async () => {
  const record = await synthetic("test('one', async ({ page }) => { await page.goto('/many'); });");
  const page = first(record);
  assert.is(page.network.length, 50);
  assert.ok(page.requests >= 61);
});

test('long headers in the record of a page are shortened', async () => {
  const record = await synthetic("test('one', async ({ page }) => { await page.goto('/headers'); });");
  assert.is(first(record).documentRequest?.responseHeaders['x-long']?.length, 4_096);
});

test('pages of scripts can use WebSockets', async () => {
  const record = await synthetic(`
    test('one', async ({ page }) => {
      await page.goto('/socket');
      await expect(page.locator('#said')).toHaveText('hello');
    });`);
  assert.equal([endsOf(record), errorsOf(record)], [['one: passed'], []]);
});

test('a failed browser test has a screenshot, and its error says what the test was waiting for', async () => {
  const record = await synthetic(`
    test('buys', async ({ page }) => {
      await page.goto('/');
      await page.getByRole('button', { name: 'Sell' }).click({ timeout: 300 });
    });
    test('goes on', async ({ page }) => { await page.goto('/'); });`);
  assert.equal(endsOf(record), ['buys: failed', 'goes on: passed']);
  assert.equal(errorsOf(record), ['TimeoutError: locator.click: Timeout 300ms exceeded.']);
  assert.match(record.tests[0]?.errors[0]?.message ?? '', /waiting for getByRole\('button', \{ name: 'Sell' \}\)/);
  assert.equal(
    record.files.map(({ test: place, role, name, contentType }) => [place, role, name, contentType]),
    [[0, 'screenshot', 'buys.png', 'image/png']],
  );
  assert.ok(record.files.every(({ path }) => isPng(path)));
});

test(
  'a browser test that times out has a screenshot',
  inTime(async () => {
    const record = await synthetic(
      "test('waits', async ({ page }) => { await page.goto('/'); await page.getByText('Never').click(); });",
      { timeout: 10_000 },
    );
    assert.equal([endsOf(record), record.end], [['waits: timedOut'], { how: 'done' }]);
    assert.match(record.tests[0]?.errors[1]?.message ?? '', /waiting for getByText\('Never'\)/);
    assert.equal(
      record.files.map(({ name }) => name),
      ['waits.png'],
    );
  }),
);

test('a failed browser test has a screenshot even if the script has closed the page', async () => {
  const record = await synthetic(`
    test('buys', async ({ browser }) => {
      const context = await browser.newContext();
      try {
        const page = await context.newPage();
        await page.goto('/');
        throw new Error('no luck');
      } finally { await context.close(); }
    });
    test('sells', async ({ browser }) => {
      const context = await browser.newContext();
      await (await context.newPage()).goto('/');
      await context.close();
    });`);
  assert.equal(endsOf(record), ['buys: failed', 'sells: passed']);
  assert.equal(
    record.files.map(({ name }) => name),
    ['buys.png'],
  );
});

test('screenshots of a script keep their names, and are stored only in the folder of the script', async () => {
  const record = await synthetic(`
    import { existsSync } from 'node:fs';
    test('looks', async ({ page }) => {
      await page.goto('/');
      await page.screenshot({ path: 'home.png' });
      await page.locator('h1').screenshot({ path: 'parts/title.jpg' });
      await page.screenshot({ path: '/elsewhere/../outside.png' });
      await page.screenshot();
      expect(existsSync('home.png') && existsSync('parts/title.jpg')).toBe(true);
    });`);
  assert.equal([endsOf(record), errorsOf(record)], [['looks: passed'], []]);
  assert.equal(
    record.files.map(({ name, contentType }) => [name, contentType]),
    [
      ['home.png', 'image/png'],
      ['parts/title.jpg', 'image/jpeg'],
      ['outside.png', 'image/png'],
    ],
  );
});

for (const [name, body, said] of [
  [
    'a server that does not exist',
    'await page.goto(process.env.NOBODY);',
    `Error: page.goto: Connection refused by ${nobody}. (http://${nobody}/)`,
  ],
  [
    'an address that the policy refuses',
    "await page.goto('http://192.0.2.1/');",
    /^Error: page\.goto: .*192\.0\.2\.1.* \(http:\/\/192\.0\.2\.1\/\)$/,
  ],
  [
    'a page that is too slow',
    "await page.goto('/slow', { timeout: 200 });",
    'TimeoutError: page.goto: Timeout 200ms exceeded.',
  ],
  [
    'a wrong title',
    "await page.goto('/'); await expect(page).toHaveTitle('Library', { timeout: 200 });",
    'Error: expect(page).toHaveTitle(expected) failed',
  ],
  [
    'a missing element',
    "await page.goto('/'); await expect(page.locator('h2')).toBeVisible({ timeout: 200 });",
    'Error: expect(locator).toBeVisible() failed',
  ],
  [
    'a wrong status',
    "const answer = await page.goto('/error'); expect(answer.status(), 'the status').toBe(200);",
    'Error: the status',
  ],
] as const)
  test(`a browser test that fails because of ${name} reports the failure`, async () => {
    const record = await synthetic(`test('one', async ({ page }) => { ${body} });`, {
      environment: { NOBODY: `http://${nobody}/` },
    });
    const [error = ''] = errorsOf(record);
    if (typeof said === 'string') assert.is(error, said);
    else assert.match(error, said);
  });

test('a script sees that a connection was refused, but gets the same general error for every other failed connection', async () => {
  const record = await synthetic(
    `
    test('one', async ({ page }) => {
      const failures = [];
      page.on('requestfailed', (request) => failures.push(request.failure().errorText));
      const errors = [];
      for (const address of [process.env.NOBODY, 'http://192.0.2.1/'])
        await page.goto(address).catch((error) => errors.push(/net::\\w+/.exec(error.message)[0]));
      expect(failures).toEqual(['net::ERR_CONNECTION_REFUSED', 'net::ERR_SOCKS_CONNECTION_FAILED']);
      expect(errors).toEqual(failures);
    });`,
    { environment: { NOBODY: `http://${nobody}/` } },
  );
  assert.equal([endsOf(record), errorsOf(record)], [['one: passed'], []]);
});

test('launch options in a script are applied to the installed browser', async () => {
  const record = await synthetic(
    `
    test.use({ ...devices['iPhone 13'], launchOptions: { args: ['--lang=de'] } });
    test('one', async ({ page, browser, playwright }) => {
      await page.goto('/');
      expect(await page.evaluate(() => navigator.userAgent)).toContain('iPhone');
      const other = await chromium.launch();
      const own = await other.newPage();
      await own.goto(process.env.URL + '/next');
      expect(await own.textContent('h1')).toBe('Next page');
      await other.close();
    });`,
    { environment: { URL: url } },
  );
  assert.equal([endsOf(record), errorsOf(record)], [['one: passed'], []]);
  assert.equal(
    record.logs.map(({ message }) => message),
    ['The browser is Chromium, not webkit: no other browser is installed.'],
  );
  assert.equal(pathsOf(record), ['/', '/next']);
});

for (const ways of ['extend', 'only'] as const)
  test(`a test that is declared with test.${ways} gets the open browser`, async () => {
    const received = `
      import { chromium } from '@playwright/test';
      const launch = chromium.launch.bind(chromium);
      chromium.launch = (...given) => { console.log('launched'); return launch(...given); };`;
    const script = testsOfOwn(ways, "async ({ page }) => { await page.goto('/'); }");
    const record = await run('synthetic', received + script, { url });
    assert.equal(
      endsOf(record),
      Array.from({ length: ways === 'only' ? 3 : 5 }, (_, number) => `${number}: passed`),
    );
    assert.equal([errorsOf(record), record.logs], [[], []]);
  });

test('a browser test finds no open page of an earlier test', async () => {
  const record = await synthetic(`
    test('leaves', async ({ browser }) => { await (await browser.newPage()).goto('/'); throw new Error('left'); });
    test('finds', async ({ browser }) => { expect(browser.contexts().length).toBe(0); });
    test('closes', async ({ browser }) => { await browser.close(); throw new Error('closed'); });
    test('has another', async ({ page }) => { await page.goto('/'); });`);
  assert.equal(endsOf(record), ['leaves: failed', 'finds: passed', 'closes: failed', 'has another: passed']);
});

testOfVideo('videos of all browser contexts are recorded if requested', async () => {
  const record = await synthetic(
    `test('one', async ({ page, browser }) => {
      await page.goto('/');
      const other = await browser.newPage();
      await other.goto('/next');
    });`,
    { recordVideo: true },
  );
  assert.equal(endsOf(record), ['one: passed']);
  assert.equal(
    record.files.map(({ test: place, role, contentType }) => [place, role, contentType]),
    [0, 0].map((place) => [place, 'video', 'video/webm']),
  );
  assert.ok(record.files.every(({ path }) => readFileSync(path).subarray(0, 4).equals(Buffer.from('1a45dfa3', 'hex'))));
});

testOfVideo('videos that the script also requests are stored once', async () => {
  const record = await synthetic(
    `test.use({ video: 'on' });
    test('one', async ({ page }, info) => {
      await page.goto('/popup');
      const [other] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button').click()]);
      await other.waitForLoadState();
      await info.attach('own.webm', { body: Buffer.from('own'), contentType: 'video/webm' });
    });`,
    { recordVideo: true },
  );
  assert.equal([endsOf(record), errorsOf(record)], [['one: passed'], []]);
  assert.equal(record.files.map(({ role, name }) => [role, name]).sort(), [
    ['video', 'own.webm'],
    ['video', 'video.webm'],
    ['video', 'video.webm'],
  ]);
});

test('the browser opens only the connections that a script requests', async () => {
  const before = connections();
  const record = await synthetic(`
    test('waits', async ({ page }) => {
      await page.setContent('<input type="password"><p>Привет, как дела?</p>');
      await page.waitForTimeout(6_000);
    });`);
  assert.equal([endsOf(record), connections() - before, record.logs], [['waits: passed'], 0, []]);
  const asking = await synthetic("test('asks', async ({ page }) => { await page.goto('/next'); });");
  assert.equal(endsOf(asking), ['asks: passed']);
  assert.ok(connections() > before);
});

tests.run();
