/** The browser of a run: open before the script is there, alone with it, and connected to nothing but the proxy. */
import type { Boot } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { existsSync, mkdirSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { authorities, keyHashes } = require('./certificates.cjs') as import('./certificates.cts').CertificatesModule;

type Internals = import('./internals.cts').Internals;
type Browser = import('playwright-core').Browser;
type LaunchOptions = import('./fixtures.cts').LaunchOptions;
type Listener = import('./internals.cts').Listener;

/** What `require('./browser.cjs')` gives. */
export interface BrowserModule {
  FEATURES_OFF: readonly string[];
  openBrowser: (internals: Internals, options: LaunchOptions) => Promise<Browser>;
  launchOptions: (boot: Boot, chromium: string) => LaunchOptions;
  /** Leads the contexts of all browsers, and those of requests, to a proxy. @param port of one that speaks SOCKS */
  leadTo: (port: number) => Listener;
}

/**
 * Features that are off. The browser heeds only one such list, so it begins with Playwright's own
 * (`disabledFeatures` in playwright-core; a specification compares them). The rest would ask servers of others about the
 * forms, passwords and words of the pages that a script visits.
 */
const FEATURES_OFF: readonly string[] = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch', 'msForceBrowserSignIn'],
  'msEdgeUpdateLaunchServicesPreferredVersion',
  ...['AutofillServerCommunication', 'PasswordLeakDetection', 'Translate', 'OptimizationGuideModelDownloading'],
  ...['CertificateTransparencyComponentUpdater'],
];

/**
 * What no switch or feature turns off, as a profile stores it. Without this, an error of a certificate, or a server that
 * is slow to answer over TLS, has the browser look for a captive portal, at `connectivitycheck.gstatic.com` and by the
 * proxy of the page.
 */
const PREFERENCES = { alternate_error_pages: { enabled: false } };

/** It asks nobody for anything but what a script asks it for. */
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
  `--disable-features=${FEATURES_OFF.join(',')}`,
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--safebrowsing-disable-auto-update',
  // What nothing turns off leads to a port that browsers refuse to connect to: accounts and updates of its maker.
  ...['gaia-url=', 'google-apis-url=', 'component-updater=url-source='].map((name) => `--${name}http://127.0.0.1:1/`),
  // Neither names nor datagrams beside the proxy.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--dns-over-https-mode=off',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Requests to 127.0.0.1 go to the proxy too: what is meant is that of the machine outside. */
const proxyAt = (port: number): { server: string; bypass: string } => ({
  server: `socks5://127.0.0.1:${port.toString()}`,
  bypass: '<-loopback>',
});

/**
 * Nobody listens there: what another release of the browser may ask for by itself gets no further. Pages go by the proxy
 * of their context.
 */
const NOWHERE = proxyAt(9);

const launchOptions: BrowserModule['launchOptions'] = ({ proxySocket, extraCertificates }, chromium) => ({
  executablePath: chromium,
  headless: true,
  args: [...ARGUMENTS, ...trusting(extraCertificates)],
  ...(proxySocket !== '' && { proxy: NOWHERE }),
});

/** The browser takes authorities from a database that nothing here can write; it can be told whose errors not to mind. */
const trusting = (file: string | null): string[] => {
  const hashes = keyHashes(authorities(file));
  return hashes.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${hashes.join(',')}`];
};

/** The first browser, and all that a script launches, begin with our preferences: each has a profile of its own. */
const openBrowser: BrowserModule['openBrowser'] = ({ playwright }, options) => {
  const { chromium, _connection } = playwright;
  _connection.toImpl(chromium).prepareUserDataDir = (_, folder) => {
    const file = path.join(folder, 'Default', 'Preferences');
    if (!existsSync(file)) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(PREFERENCES));
    }
    return Promise.resolve();
  };
  return chromium.launch(options);
};

const leadTo: BrowserModule['leadTo'] = (port) => {
  const lead = async (options: Record<string, unknown>): Promise<void> => {
    options['proxy'] = proxyAt(port);
  };
  return { runBeforeCreateBrowserContext: lead, runBeforeCreateRequestContext: lead };
};

module.exports = {
  FEATURES_OFF,
  openBrowser,
  launchOptions,
  leadTo,
} satisfies BrowserModule;
