/** Everything that can be done before a script is there is done then, since runs are waited for and this is not. */
import type { Boot } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { createServer } = require('node:http') as typeof import('node:http');
const path = require('node:path') as typeof import('node:path');
const { openBrowser, launchOptions } = require('./browser.cjs') as import('./browser.cts').BrowserModule;
const { warmUpCompiler } = require('./loading.cjs') as import('./loading.cts').LoadingModule;

type Internals = import('./internals.cts').Internals;
type LaunchOptions = import('./fixtures.cts').LaunchOptions;
type OpenBrowser = import('./browser.cts').OpenBrowser;

/** What `require('./warm-up.cjs')` gives. */
export interface WarmUpModule {
  /** @returns the browser that is open then; null: the script is to have none */
  warmUp: (internals: Internals, boot: Boot) => Promise<(OpenBrowser & { options: LaunchOptions }) | null>;
}

const warmUp: WarmUpModule['warmUp'] = async (internals, boot) => {
  const options = boot.kind === 'synthetic' ? launchOptions(boot, boot.chromium ?? '') : null;
  const opening = options && openBrowser(internals, options, null);
  warmUpCompiler(internals, path.join(boot.folder, 'warm-up.ts'));
  await warmUpRequests(internals);
  const opened = await opening;
  return options && opened ? { ...opened, options } : null;
};

/** The first request loads most of what requests need. It leaves this process, and comes back to it. */
const warmUpRequests = async ({ playwright }: Internals): Promise<void> => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('{}');
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    const requests = await playwright.request.newContext();
    const answer = await requests.get(`http://127.0.0.1:${address.port.toString()}/`);
    await answer.json();
    await requests.dispose();
  } finally {
    server.close();
    server.closeAllConnections();
  }
};

module.exports = { warmUp } satisfies WarmUpModule;
