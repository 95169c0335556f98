/**
 * The browser of a run. It starts before the script arrives, is used by that script only, and connects only to the
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
  /** Routes the contexts of all browsers, and those of API requests, through a proxy. @param port of a SOCKS proxy */
  routeThroughProxy: (port: number) => Listener;
}

/**
 * Features to disable. The browser accepts only one such list, so it starts with Playwright's own (`disabledFeatures`
 * in playwright-core; a test compares them). The remaining ones would send data about the forms, passwords and texts of
 * visited pages to third-party servers.
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
 * Preferences that no switch or feature can set, as stored in a profile. Without this one, a certificate error or a
 * slow TLS server makes the browser look for a captive portal, at `connectivitycheck.gstatic.com` and through the
 * page's proxy.
 */
const PREFERENCES = { alternate_error_pages: { enabled: false } };

/** The browser must request nothing but what a script requests. */
const ARGUMENTS: readonly string[] = [
  // The sandbox around this process provides the protection, and permits none inside.
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
  // Requests that can't be disabled (accounts and updates of the vendor) go to a port that browsers refuse to
  // connect to.
  ...['gaia-url=', 'google-apis-url=', 'component-updater=url-source='].map((name) => `--${name}http://127.0.0.1:1/`),
  // No DNS and no UDP that bypass the proxy.
  '--disable-quic',
  '--dns-prefetch-disable',
  '--dns-over-https-mode=off',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Requests to 127.0.0.1 use the proxy too: scripts mean the outer machine's loopback, not the sandbox's. */
const proxyAt = (port: number): { server: string; bypass: string } => ({
  server: `socks5://127.0.0.1:${port.toString()}`,
  bypass: '<-loopback>',
});

/**
 * Nothing listens there: requests that another release of the browser makes on its own get no further. Pages use the
 * proxy of their context.
 */
const NOWHERE = proxyAt(9);

const launchOptions: BrowserModule['launchOptions'] = ({ proxySocket, extraCertificates }, chromium) => ({
  executablePath: chromium,
  headless: true,
  args: [...ARGUMENTS, ...trusting(extraCertificates)],
  ...(proxySocket !== '' && { proxy: NOWHERE }),
});

/**
 * The browser reads authorities from a database that is read-only here, but it can be told to ignore certificate errors
 * for given keys.
 */
const trusting = (file: string | null): string[] => {
  const hashes = keyHashes(authorities(file));
  return hashes.length === 0 ? [] : [`--ignore-certificate-errors-spki-list=${hashes.join(',')}`];
};

/** The first browser, and all that a script launches, start with our preferences: each has its own profile. */
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
