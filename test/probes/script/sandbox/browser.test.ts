import * as assert from 'uvu/assert';
import { realBrowser } from '../../../../probes/script/sandbox/tree/browser.ts';
import { answerOf, MAIN, openTestSandboxes, returned, ROOT, suiteOfSandboxes } from './open-sandboxes.ts';
import { findLeftovers } from './leftovers.ts';

const { tests, test } = await suiteOfSandboxes('a browser in a sandbox');

const CHROMIUM = '/usr/bin/chromium';
const program = realBrowser(CHROMIUM);
if (program === null) console.log('skipped: chromium is not installed');
const browse = program === null ? tests.skip.bind(tests) : test;

const sources = {
  main: MAIN,
  modules: ROOT,
  chromium: CHROMIUM,
  ffmpeg: '/usr/bin/ffmpeg',
  extraCertificates: null,
};

/** Code that starts the browser with Playwright. The proxy is unreachable, so nothing leaves the sandbox. */
const LAUNCHED = `
  const { createRequire } = require('node:module');
  const { chromium } = createRequire(boot.modules + '/x.js')('playwright-core');
  const browser = await chromium.launch({
    executablePath: boot.chromium,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
    proxy: { server: 'http://127.0.0.1:9' },
  });`;

for (const withoutGroups of [false, true])
  browse(
    `a browser in a sandbox opens a page, runs its script and takes a screenshot${withoutGroups ? ', without cgroups' : ''}`,
    async () => {
      const before = findLeftovers();
      const sandboxes = await openTestSandboxes({ sources, kinds: { synthetic: { warm: 0, most: 1 } }, withoutGroups });
      try {
        const sandbox = await sandboxes.take('synthetic', AbortSignal.timeout(60_000));
        sandbox.stdout.resume();
        sandbox.stderr.resume();
        const answer = await answerOf(
          sandbox,
          `${LAUNCHED}
         const page = await browser.newPage();
         await page.goto('data:text/html,<title>x</title><h1>süß</h1><script>document.title = 6 * 7</script>');
         const picture = await page.screenshot();
         const fonts = await page.evaluate(() => document.fonts.ready.then(() => document.querySelector('h1').offsetWidth));
         return [await page.title(), picture.subarray(1, 4).toString(), fonts > 0, browser.version() !== ''];`,
        );
        assert.equal(returned(answer), ['42', 'PNG', true, true]);
        // The browser still runs, with all its processes.
        assert.ok(findLeftovers().processes.length > 5);
        await sandbox.end();
        assert.equal(await sandbox.ended, { how: 'ended' });
        assert.equal(findLeftovers().processes, []);
      } finally {
        await sandboxes.stop();
      }
      assert.equal(findLeftovers(), before);
    },
  );

browse('a browser in a sandbox is limited in memory', async () => {
  const sandboxes = await openTestSandboxes({ sources, kinds: { synthetic: { warm: 0, most: 1 } } });
  try {
    const sandbox = await sandboxes.take('synthetic', AbortSignal.timeout(60_000));
    sandbox.stdout.resume();
    sandbox.stderr.resume();
    const answer = await answerOf(
      sandbox,
      `${LAUNCHED}
       const page = await browser.newPage();
       await page.evaluate(async () => {
         globalThis.held = [];
         for (;;) {
           held.push(new Uint8Array(8 * 1024 * 1024).fill(1));
           await new Promise((resolve) => setTimeout(resolve, 5));
         }
       });`,
    );
    // The kernel may end the process of the page first, so that the program has time to report a crash.
    assert.ok(answer === null || /crashed/.test(JSON.stringify(answer)), JSON.stringify(answer));
    assert.equal(await sandbox.ended, { how: 'memory', limit: 1_024 });
  } finally {
    await sandboxes.stop();
  }
});

tests.run();
