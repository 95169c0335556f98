/**
 * Prepares everything possible before a script arrives, because this makes the run itself shorter. Runs a sample test,
 * so that everything that a script needs is loaded and known to work.
 */
import type { BootMessage, SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { createServer } = require('node:http') as typeof import('node:http');
const path = require('node:path') as typeof import('node:path');
const { openBrowser, launchOptions } = require('./browser.cjs') as import('./browser.cts').BrowserModule;
const { createErrors } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;
const { withBrowser, withoutBrowser } = require('./fixtures.cjs') as import('./fixtures.cts').FixturesModule;
const { warmUpCompiler } = require('./loading.cjs') as import('./loading.cts').LoadingModule;
const { runTests } = require('./tests.cjs') as import('./tests.cts').TestsModule;

type Client = import('./internals.cts').Client;
type Internals = import('./internals.cts').Internals;
type LaunchOptions = import('./fixtures.cts').LaunchOptions;
type Playwright = typeof import('@playwright/test');

/** The exports of `warm-up.cjs`. */
export interface WarmUpModule {
  /** @throws Error if this machine can't run scripts of this kind */
  warmUp: (internals: Internals, boot: BootMessage) => Promise<Warm>;
}

export interface Warm {
  /** the `@playwright/test` that scripts import */
  given: object;
  /** null if scripts of this kind have no browser */
  browser: WarmBrowser | null;
  /** Sets the receiver of warnings for the script. */
  hearWarnings: (listen: (sentence: string) => void) => void;
}

export interface WarmBrowser {
  /** `Chromium 156.0.8078.108` */
  title: string;
  options: LaunchOptions;
  /** one instance of each class that takes screenshots */
  clients: readonly Client[];
}

const TIMEOUT_MS = 25_000;

const warmUp: WarmUpModule['warmUp'] = async (internals, boot) => {
  const options = boot.kind === 'synthetic' ? launchOptions(boot, boot.chromium ?? '') : null;
  const opening = options && openBrowser(internals, options);
  warmUpCompiler(internals, path.join(boot.folder, 'warm-up.ts'));
  const browser = await opening;
  let warn: (sentence: string) => void = () => undefined;
  const given =
    browser && options
      ? withBrowser(internals, {
          browser,
          options,
          warn: (sentence) => {
            warn(sentence);
          },
        })
      : withoutBrowser(internals);
  const clients = await runOwn(internals, boot.folder, given as Playwright, options);
  return {
    given,
    browser: browser && options && { title: `Chromium ${browser.version()}`, options, clients },
    hearWarnings: (listen) => {
      warn = listen;
    },
  };
};

const runOwn = async (
  internals: Internals,
  folder: string,
  { test, expect }: Playwright,
  options: LaunchOptions | null,
): Promise<readonly Client[]> => {
  const clients: object[] = [];
  const failures: string[] = [];
  const server = await ownProxy();
  try {
    const deadline = Date.now() + TIMEOUT_MS;
    const use = { proxy: { server: server.url, bypass: '<-loopback>' }, ...(options && { launchOptions: options }) };
    const { project } = internals.createConfig(folder, use, TIMEOUT_MS);
    const suite = await internals.gatherTests(path.join(folder, 'warm-up.ts'), async () => {
      test('asks', async ({ request }) => {
        await test.step('asks', async () => {
          const answer = await request.get('http://warm-up.test/', { headers: { accept: 'text/html' } });
          expect(answer.status()).toBe(200);
          expect.soft(await answer.text()).toContain('Ready');
        });
      });
      if (!options) return;
      test('looks', async ({ page }) => {
        await page.goto('http://warm-up.test/');
        await expect(page).toHaveTitle('Warm');
        await expect(page.getByText('Ready')).toBeVisible();
        await page.getByRole('button').click();
        await page.getByRole('textbox').fill('text');
        const element = await page.$('p');
        // Locators need no entry of their own: they take screenshots by means of an element.
        clients.push(page, ...(element ? [element] : []));
        await page.screenshot();
      });
    });
    const say = (said: SandboxMessage): void => {
      if (said.type === 'fatal') failures.push(said.error.message);
      if (said.type === 'testEnd' && said.status !== 'passed') failures.push(said.errors[0]?.message ?? said.status);
    };
    await runTests({
      internals,
      file: path.join(folder, 'warm-up.ts'),
      project,
      suite,
      deadline,
      say,
      saidError: createErrors('warm-up.ts', () => undefined),
      written: () => undefined,
      attached: () => undefined,
      onTest: () => undefined,
      onTestEnd: async () => undefined,
      onEnd: async () => undefined,
    });
  } finally {
    server.close();
  }
  if (failures.length > 0) throw new Error(`A script would not run here: ${failures.join(' ')}`);
  return clients;
};

const PAGE = '<!doctype html><title>Warm</title><p>Ready</p><button>A</button><input>';

/** Starts an HTTP proxy that sends all responses itself, so that the sample test needs no other server. */
const ownProxy = async (): Promise<{ url: string; close: () => void }> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(PAGE);
  });
  server.on('connect', (_, socket) => {
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    server.emit('connection', socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port.toString()}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

module.exports = { warmUp } satisfies WarmUpModule;
