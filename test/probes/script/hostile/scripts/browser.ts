import * as assert from 'uvu/assert';
import { inPage, type HostileScript, type Ran } from '../hostile-script.ts';

/** Returns a script that opens addresses one after the other, and reports each result. */
const opening = (urls: readonly string[]): string =>
  inPage(`
  for (const url of ${JSON.stringify(urls)}) {
    const opened = await attempt(async () => { const answer = await page.goto(url, { timeout: 5000 }); return answer?.status() ?? 'no answer'; });
    found(opened, (await attempt(() => page.content())).slice(0, 300));
  }`);

const ended = ({ outcome, message }: Ran): void => {
  assert.is(outcome.status, 'ok', message);
};

/** Scripts that try to misuse pages and the browser. */
export const BROWSER: readonly HostileScript[] = [
  {
    type: 'synthetic',
    title: "a script that opens file:// addresses in its browser can't read files of the machine",
    script: ({ data }) =>
      opening([
        ...['file:///etc/shadow', 'view-source:file:///etc/shadow', `file://${data}/events.db`, 'file:///root/'],
        `file://${process.cwd()}/package.json`,
      ]),
    expectation: ({ text, found }) => {
      assert.is(found.length, 10);
      assert.not.match(text, /root:|"dependencies"|eventsourc/);
    },
  },
  {
    type: 'synthetic',
    title: 'pages of the browser itself, such as chrome://version, show a script no paths of the machine',
    script: opening([
      'chrome://version',
      'chrome://net-internals',
      'chrome://settings',
      'devtools://devtools/bundled/inspector.html',
    ]),
    expectation: ({ text }) => {
      assert.not.ok(text.includes(process.cwd()));
      assert.not.match(text, /uptrail-sandboxes/);
    },
  },
  {
    type: 'synthetic',
    title: "pages, frames, pictures and requests of a script's browser can't reach cloud metadata or private networks",
    script: ({ page }) =>
      inPage(`
  const other = await context.newPage();
  found(await attempt(async () => (await other.goto('http://169.254.169.254/latest/meta-data/')).status()));
  await page.goto('http://${page}/');
  await page.evaluate(async () => {
    const done = [];
    for (const host of ['169.254.169.254', '10.0.0.1', 'metadata.test', 'private.test']) {
      const picture = new Image(); picture.src = 'http://' + host + '/x.png';
      const frame = document.createElement('iframe'); frame.src = 'http://' + host + '/'; document.body.append(frame);
      done.push(fetch('http://' + host + '/', { mode: 'no-cors' }).catch(() => undefined));
      done.push(new Promise((resolve) => { const socket = new WebSocket('ws://' + host + '/'); socket.onclose = resolve; socket.onopen = resolve; }));
    }
    await Promise.all(done);
  });`),
    expectation: ({ found, logs }) => {
      // The proxy refuses the request, so the script gets no response except the refusal.
      assert.not.equal(found, [200]);
      const all = logs.join('\n');
      for (const host of ['169.254.169.254', '10.0.0.1', 'metadata.test', 'private.test'])
        assert.ok(
          logs.some((message) => message.includes(host) && /does not allow/.test(message)),
          `${host}\n${all}`,
        );
    },
  },
  {
    type: 'synthetic',
    title: "pages of a script's browser can't reach the database or the service itself",
    script: ({ page, database, service, databasePort }) =>
      inPage(`
  await page.goto('http://${page}/');
  found(await page.evaluate(async (urls) => Promise.all(urls.map((url) => fetch(url, { mode: 'no-cors' }).then((answer) => answer.type, () => 'failed'))), ['http://${database}/', 'http://${service}/', 'http://localhost:${databasePort}/', 'http://[::1]:${databasePort}/', 'http://0.0.0.0:${databasePort}/']));
  for (const url of ['http://${database}/', 'http://${service}/']) found(await attempt(async () => (await page.goto(url)).status()));`),
    expectation: ({ logs, found }) => {
      assert.is(found.length, 3);
      assert.ok(logs.some((message) => message.includes('reserved for this service')));
    },
  },
  {
    type: 'synthetic',
    title:
      "a page of a script can't reach a forbidden address by DNS rebinding, where each look-up returns another address",
    script: ({ pagePort }) =>
      inPage(`
  const origin = 'http://rebinding.test:${pagePort}';
  for (let round = 0; round < 6; round++) found(await attempt(async () => (await page.goto(origin + '/?' + round)).status()));
  found(await attempt(() => page.evaluate(async () => { const texts = []; for (let n = 0; n < 10; n++) texts.push(await fetch('/?' + n, { cache: 'no-store' }).then((answer) => answer.text(), () => '')); return texts.join().slice(0, 2000); })));`),
    expectation: ({ logs }) => {
      assert.match(logs.join('\n'), /rebinding\.test at 127\.0\.0\.9|Shop/);
    },
  },
  {
    type: 'synthetic',
    title: "a service worker of a script can't fetch cloud metadata, responses of the database or files of the machine",
    script: ({ page, database }) =>
      inPage(`
  await page.goto('http://localhost:' + ${JSON.stringify(page)}.split(':')[1] + '/');
  found(await attempt(() => page.evaluate(async () => { await navigator.serviceWorker.register('/worker.js'); await navigator.serviceWorker.ready; return 'registered'; })));
  await page.reload();
  for (const to of ['http://169.254.169.254/', 'http://${database}/', 'file:///etc/passwd'])
    found(await attempt(() => page.evaluate((to) => fetch('/?to=' + encodeURIComponent(to)).then((answer) => answer.text()), to)));`),
    expectation: ({ found }) => {
      assert.is(found.length, 4);
      for (const text of found.slice(1)) assert.not.match(String(text), /root:|script:x/);
    },
  },
  {
    type: 'synthetic',
    title:
      'a script that uses WebRTC sends no datagram to another address, and finds no network address of the machine',
    script: ({ page, datagrams }) =>
      inPage(`
  await page.goto('http://${page}/');
  found(await attempt(() => page.evaluate(async (port) => {
    const candidates = [];
    const connection = new RTCPeerConnection({ iceServers: [{ urls: ['stun:127.0.0.1:' + port, 'stun:10.0.0.1:3478'] }, { urls: 'turn:127.0.0.1:' + port, username: 'x', credential: 'x' }] });
    connection.onicecandidate = ({ candidate }) => { if (candidate) candidates.push(candidate.candidate); };
    connection.createDataChannel('x');
    await connection.setLocalDescription(await connection.createOffer());
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return candidates.filter((text) => !/\\.local |127\\.0\\.0\\.1/.test(text));
  }, ${datagrams})));`),
    expectation: ({ found }) => {
      assert.equal(found, [[]]);
    },
  },
  {
    type: 'synthetic',
    title: "a script can't upload files of the machine with the file input of a page",
    script: ({ page, data }) =>
      inPage(`
  await page.goto('http://${page}/');
  for (const path of ['/etc/shadow', ${JSON.stringify(`${data}/events.db`)}, '/proc/1/root/etc/shadow']) found(await attempt(() => page.setInputFiles('input', path)));
  found(await page.evaluate(() => document.querySelector('input').files.length));`),
    expectation: ({ found }) => {
      assert.is(found.length, 4);
      assert.is(found[3], 0);
    },
  },
  {
    type: 'synthetic',
    title: "a script can't save a download in /etc, and the suggested file name of a download contains no path",
    script: ({ page }) =>
      inPage(`
  await page.goto('http://${page}/');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('a')]);
  found(download.suggestedFilename());
  found(await attempt(() => download.saveAs('/etc/hostile-download') ));
  found(await attempt(() => page.screenshot({ path: '/var/hostile.png' }).then(() => 'saved')));`),
    expectation: ({ found }) => {
      assert.not.match(String(found[0]), /\//);
      assert.match(String(found[1]), /EROFS|ENOENT|EACCES/);
    },
  },
  {
    type: 'synthetic',
    title: "a browser that a script launches without a proxy can't reach the database, and does not outlive the script",
    script: ({ database }) =>
      inPage(`
  const { chromium } = require('@playwright/test');
  const path = browser.browserType().executablePath();
  const binary = fs.readlinkSync('/proc/' + fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).find((pid) => { try { return fs.readlinkSync('/proc/' + pid + '/exe').includes('chrom'); } catch { return false; } }) + '/exe');
  real('child_process').spawn(binary, ['--headless', '--no-sandbox', '--no-proxy-server', '--disable-background-networking', '--disable-component-update', '--disable-gpu', '--user-data-dir=/tmp/zombie', '--remote-debugging-port=9333', 'http://${database}/'], { detached: true, stdio: 'ignore' }).unref();
  await pause(3000);
  found(await attempt(() => new Promise((resolve) => real('net').connect(9333, '127.0.0.1', () => resolve('its own')).on('error', (error) => resolve(error.code)))));
  found(await attempt(async () => (await fetch('http://127.0.0.1:9333/json')).status));`),
    expectation: (ran) => {
      ended(ran);
      // The script only reaches the loopback of its sandbox, not that of the machine.
      assert.is.not(ran.found[1], 200);
    },
  },
  {
    type: 'synthetic',
    title: 'a script that opens popups endlessly fails',
    timeout: 8,
    script: ({ page }) =>
      inPage(`
  await page.goto('http://${page}/');
  for (;;) await page.evaluate(() => { for (let n = 0; n < 20; n++) window.open('/?' + n + Math.random()); });`),
    expectation: ({ outcome }) => {
      assert.is(outcome.status, 'error');
    },
  },
  {
    type: 'synthetic',
    title: 'the result of a script whose page makes 10,000 requests contains at most 50 requests of each page',
    timeout: 12,
    script: ({ page }) =>
      inPage(`
  await page.goto('http://${page}/');
  await attempt(() => page.evaluate(async () => { for (let n = 0; n < 200; n++) await Promise.all(Array.from({ length: 50 }, (_, m) => fetch('/?' + n + '-' + m + 'x'.repeat(1000)).then((answer) => answer.text(), () => undefined))); }));`),
    expectation: ({ outcome }) => {
      const pages = (outcome.check_metadata['pages'] ?? []) as { network: unknown[] }[];
      for (const { network } of pages) assert.ok(network.length <= 50);
    },
  },
  {
    type: 'synthetic',
    title: 'a script whose page uses more than 1 GiB of memory fails',
    script: ({ page }) =>
      inPage(`
  await page.goto('http://${page}/');
  await page.evaluate(async () => { globalThis.held = []; for (;;) { held.push(new Uint8Array(16 * 1024 * 1024).fill(1)); await new Promise((resolve) => setTimeout(resolve, 1)); } });`),
    expectation: ({ outcome, message }) => {
      assert.is(outcome.status, 'error');
      assert.match(message, /1024 MiB of memory|crash|closed/i);
    },
  },
  {
    type: 'synthetic',
    title: 'a secret that a script uses in addresses, headers and names of screenshots does not appear in the result',
    secrets: { TOKEN: 'pa"ss/wörd+&' },
    script: ({ page }) =>
      inPage(`
  const token = encodeURIComponent(process.env.TOKEN);
  await page.setExtraHTTPHeaders({ 'x-token': Buffer.from(process.env.TOKEN).toString('base64') });
  await page.goto('http://${page}/?token=' + token + '#' + token);
  await page.screenshot({ path: '/tmp/' + token + '.png' });
  await page.getByText(process.env.TOKEN).click({ timeout: 500 });`),
    expectation: ({ text, outcome }) => {
      assert.is(outcome.status, 'error');
      for (const form of [
        encodeURIComponent('pa"ss/wörd+&'),
        Buffer.from('pa"ss/wörd+&').toString('base64'),
        'ss/wörd+&',
      ])
        assert.not.ok(text.includes(form), form);
    },
  },
];
