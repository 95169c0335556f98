/**
 * The browser of a run. It is started before the script arrives, is used by only one script, and connects only to the
 * proxy.
 */
import type { BootMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { existsSync, mkdirSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { authorities, keyHashes } = require('./certificates.cjs') as import('./certificates.cts').CertificatesModule;

type Internals = import('./internals.cts').Internals;
type Browser = import('playwright-core').Browser;
type LaunchOptions = import('./fixtures.cts').LaunchOptions;
type Listener = import('./internals.cts').Listener;

/** The exports of `browser.cjs`. */
export interface BrowserModule {
  FEATURES_OFF: readonly string[];
  openBrowser: (internals: Internals, options: LaunchOptions) => Promise<Browser>;
  launchOptions: (boot: BootMessage, chromium: string) => LaunchOptions;
  /** Routes all browser contexts and all API requests through a SOCKS proxy. @param port of the proxy */
  routeThroughProxy: (port: number) => Listener;
}

/**
 * Features to disable. The browser accepts only one such list, so this one begins with the features that Playwright
 * disables (`disabledFeatures` in playwright-core; a test compares them). The last two lines are additions: most of
 * these features would send data about the forms, passwords and texts of visited pages to third-party servers.
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
 * Preferences of a profile that no switch or feature can set. By default, after a certificate error or a slow TLS
 * handshake, the browser searches for a captive portal: it sends a request to `connectivitycheck.gstatic.com` through
 * the page's proxy. This preference prevents that.
 */
const PREFERENCES = { alternate_error_pages: { enabled: false } };

/** Switches that prevent requests which the script did not make. */
const ARGUMENTS: readonly string[] = [
  // This process runs in a sandbox, which does not permit Chromium's own sandbox inside.
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
  // Requests for accounts and updates of the vendor can't be disabled, so their URLs get a port to which browsers
  // refuse to connect.
  ...['gaia-url=', 'google-apis-url=', 'component-updater=url-source='].map((name) => `--${name}http://127.0.0.1:1/`),
  // DNS queries and UDP would bypass the proxy.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--dns-over-https-mode=off',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Requests to 127.0.0.1 use the proxy too: a script means the loopback of the runner, not that of the sandbox. */
const proxyAt = (port: number): { server: string; bypass: string } => ({
  server: `socks5://127.0.0.1:${port.toString()}`,
  bypass: '<-loopback>',
});

/**
 * The proxy of the browser itself. Nothing listens on its port, so requests that a future release of the browser makes
 * on its own fail. Pages use the proxy of their context instead.
 */
const NOWHERE = proxyAt(9);

const launchOptions: BrowserModule['launchOptions'] = ({ proxySocket, extraCertificates }, chromium) => ({
  executablePath: chromium,
  headless: true,
  args: [...ARGUMENTS, ...trusting(extraCertificates)],
  ...(proxySocket !== '' && { proxy: NOWHERE }),
});

/**
 * Makes the browser trust the authorities of a file. The browser reads authorities from a database, which is read-only
 * in the sandbox. Instead, a switch makes the browser ignore certificate errors if a certificate has one of these keys.
 */
const trusting = (file: string | null): string[] => {
  const hashes = keyHashes(authorities(file));
  return hashes.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${hashes.join(',')}`];
};

/** Launches a browser. Also makes Playwright add PREFERENCES to the profile of every browser that is launched later. */
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

const routeThroughProxy: BrowserModule['routeThroughProxy'] = (port) => {
  const lead = async (options: Record<string, unknown>): Promise<void> => {
    options['proxy'] = proxyAt(port);
  };
  return { runBeforeCreateBrowserContext: lead, runBeforeCreateRequestContext: lead };
};

module.exports = {
  FEATURES_OFF,
  openBrowser,
  launchOptions,
  routeThroughProxy,
} satisfies BrowserModule;
