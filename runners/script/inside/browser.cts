/** The browser of a run: open before the script is there, alone with it, and connected to nothing but the proxy. */
import type { Begin, Boot } from '../protocol.ts' with { 'resolution-mode': 'import' };
type Internals = import('./internals.cts').Internals;
type Client = import('./internals.cts').Client;

/** What `require('./browser.cjs')` gives. */
export interface BrowserModule {
  openBrowser: (internals: Internals, boot: Boot, port: number | null) => Promise<OpenBrowser>;
  /** Options of Playwright (`use`) for a run. */
  browserOptions: (begin: Begin, boot: Boot, port: number | null) => object;
}

export interface OpenBrowser {
  browser: import('playwright-core').Browser;
  /** `Chromium 156.0.8078.108` */
  title: string;
  /** one of each kind that takes screenshots */
  clients: readonly Client[];
}

/** It asks nobody for anything but what a script asks it for, and that through the proxy. */
const ARGUMENTS: readonly string[] = [
  // The sandbox around this process is what protects, and it allows none within.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-client-side-phishing-detection',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-field-trial-config',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--safebrowsing-disable-auto-update',
  // Neither names nor datagrams beside the proxy.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--dns-over-https-mode=off',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Requests to 127.0.0.1 go to the proxy too: what is meant is that of the machine outside. */
const proxyAt = (port: number): { server: string; bypass: string } => ({
  server: `http://127.0.0.1:${port.toString()}`,
  bypass: '<-loopback>',
});

const launchOptions = ({ chromium }: Boot, port: number | null): object => ({
  executablePath: chromium,
  headless: true,
  args: ARGUMENTS,
  ...(port !== null && { proxy: proxyAt(port) }),
});

const openBrowser: BrowserModule['openBrowser'] = async ({ playwright }, boot, port) => {
  const browser = await playwright.chromium.launch(launchOptions(boot, port));
  // The first page takes longest, so it is opened before anybody waits for one.
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setContent('<p>Ready</p>');
  const element = await page.$('p');
  const clients = [page, page.locator('p'), ...(element ? [element] : [])] as unknown as Client[];
  await page.screenshot();
  await context.close();
  return { browser, title: `Chromium ${browser.version()}`, clients };
};

const browserOptions: BrowserModule['browserOptions'] = (begin, boot, port) => ({
  ...(begin.url !== null && { baseURL: begin.url }),
  ...(port !== null && { proxy: proxyAt(port) }),
  ...(boot.kind === 'synthetic' && {
    screenshot: 'only-on-failure',
    video: begin.recordVideo && boot.ffmpeg !== null ? 'on' : 'off',
    launchOptions: launchOptions(boot, port),
  }),
});

module.exports = { openBrowser, browserOptions } satisfies BrowserModule;
