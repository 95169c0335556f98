import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import type { BrowserModule } from '../../../../probes/script/inside/browser.cts';
import type { Forwarder, ForwarderModule } from '../../../../probes/script/inside/forwarder.cts';
import type { Internals } from '../../../../probes/script/inside/internals.cts';
import type { ModulesModule } from '../../../../probes/script/inside/modules.cts';
import { inProject } from '../../../project.ts';

/** URL of the folder with the programs that run inside sandboxes, in the compiled product. */
export const INSIDE = pathToFileURL(inProject('dist/probes/script/inside/'));

const load = createRequire(INSIDE);

export const modules = load('./modules.cjs') as ModulesModule;

export const forwarderTo = (path: string): Promise<Forwarder> =>
  (load('./forwarder.cjs') as ForwarderModule).startForwarder(path);

/** Opens a browser as for a script, with a separate proxy for requests that no script has sent. */
export const browserOfScripts = async (
  program: string,
  proxy: { server: string; bypass: string },
): Promise<Browser> => {
  const { launchOptions, openBrowser } = load('./browser.cjs') as BrowserModule;
  const { _connection } = chromium as unknown as Internals['playwright'];
  const playwright = { chromium, _connection } as unknown as Internals['playwright'];
  const boot = { proxySocket: 'a socket', extraCertificates: null } as Parameters<typeof launchOptions>[0];
  return openBrowser({ playwright } as Internals, { ...launchOptions(boot, program), proxy });
};
