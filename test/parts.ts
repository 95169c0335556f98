/**
 * Assigns test files to parts of the long suite, which `npm run test:long [-- part …]` runs. Files without a part form
 * the quick suite, which `npm test` runs. `npm run affected` shows which parts to run after a change.
 */

export interface Part {
  name: string;
  /** what the part tests; shown in docs/develop/testing.md */
  covers: string;
  /** returns whether a test file belongs to the part; each file belongs to one part at most */
  has?: (path: string) => boolean;
  /** number of files that run concurrently; set if each file starts more processes than there are cores */
  atOnce?: number;
  /** commands to run instead of test files, each as a list of shell words */
  commands?: readonly (readonly string[])[];
  /**
   * path prefixes; the part must run after a change of a file with such a prefix, or of a file that the part's tests
   * import
   */
  after: readonly string[];
}

/** End-to-end tests on one machine that belong to the quick suite: one for each of these stories. */
const QUICK_STORIES = [
  'tour',
  'guide',
  'types-on-demand',
  'alerts/story',
  'heartbeats/story',
  'maintenance',
  'subscriptions',
  'accounts/sign-in',
  'backup',
  'serve',
  'power-cut',
  'status-page/story',
  'console/story',
  'runners/guide',
  'releases/switch',
].map((story) => `test/e2e/${story}.test.ts`);

const below =
  (...beginnings: readonly string[]) =>
  (path: string): boolean =>
    beginnings.some((beginning) => path.startsWith(beginning));

/** Tests that repeatedly kill processes, on one machine or in a cluster. */
const CHAOS = below(
  'test/e2e/chaos.test.ts',
  'test/e2e/power-cuts.test.ts',
  'test/e2e/killed-runs.test.ts',
  'test/e2e/mailing-kills.test.ts',
  'test/e2e/alerts/story-kills.test.ts',
  'test/e2e/cluster/chaos.test.ts',
  'test/e2e/cluster/killed-runs.test.ts',
  'test/e2e/cluster/mailing-kills.test.ts',
  'test/e2e/cluster/alert-kills.test.ts',
);

/** Tests of status pages in a browser. One of them is in the quick suite. */
const PAGES = below('test/e2e/status-page/');
/** Tests of the console in a browser. One of them is in the quick suite. */
const CONSOLE = below('test/e2e/console/');

const SCRIPTS = below(
  'test/probes/script/hostile/',
  'test/probes/script/inside/',
  'test/probes/script/sandbox/',
  'test/e2e/scripts/',
  'test/deploy/script-rights.test.ts',
);

/**
 * Tests of probes with random server responses, with thousands of runs, and with servers that have every kind of
 * weakness.
 */
const PROBES = (path: string): boolean =>
  below('test/network/', 'test/probes/')(path) && /\/(?:fuzz|leaks|weak-servers)\.test\.ts$/.test(path);

/** Tests of remote runners that are separate processes. One of them is in the quick suite. */
const RUNNERS = below('test/e2e/runners/');

/** Tests with two releases of the program. One of them is in the quick suite. */
const RELEASES = below('test/e2e/releases/');

/** Test files that take about a minute or more. */
const SLOW = below(
  'test/api/past/many/',
  'test/stores/read-store/mongodb/interleavings.test.ts',
  'test/messages/hard-texts.test.ts',
  'test/site/hostile/browser.test.ts',
);

export const PARTS: readonly Part[] = [
  {
    name: 'e2e',
    covers: 'the other end-to-end tests of the program on one machine',
    has: (path) =>
      path.startsWith('test/e2e/') &&
      !QUICK_STORIES.includes(path) &&
      !RUNNERS(path) &&
      !RELEASES(path) &&
      !below('test/e2e/cluster/')(path) &&
      !CHAOS(path) &&
      !SCRIPTS(path) &&
      !PAGES(path) &&
      !CONSOLE(path),
    after: [
      'api/',
      'cli/',
      'commands/',
      'notifiers/',
      'queries/',
      'reactors/',
      'probes/',
      'runners/',
      'service/',
      'site/',
      'stores/',
    ],
  },
  {
    name: 'pages',
    covers:
      'status pages in a browser: accessibility of every page and state, keyboard, no scripts, phones, languages, print',
    has: (path) => PAGES(path) && !QUICK_STORIES.includes(path),
    atOnce: 2,
    after: ['messages/page-words/', 'messages/words/', 'site/', 'views/'],
  },
  {
    name: 'console',
    covers: 'the console in a browser: sessions and tabs, proxies, accessibility of every screen and state, phones',
    has: (path) => CONSOLE(path) && !QUICK_STORIES.includes(path),
    atOnce: 2,
    after: ['api/v1/session/', 'commands/sign-in/', 'console/', 'messages/console-words/', 'site/console/', 'views/'],
  },
  {
    name: 'cluster',
    covers: 'the program as a cluster of processes on EventStoreDB and MongoDB: stories, takeovers, clocks, rights',
    has: (path) => path.startsWith('test/e2e/cluster/') && !CHAOS(path),
    atOnce: 2,
    after: ['projections/engine/', 'reactors/engine/', 'runners/scheduler/', 'runners/worker/', 'service/', 'stores/'],
  },
  {
    name: 'chaos',
    covers:
      '`kill -9` in the middle of writes, runs, mailings and alerts, on one machine and in a cluster, and power cuts',
    has: CHAOS,
    atOnce: 2,
    after: ['commands/engine/handle', 'projections/engine/', 'probes/', 'reactors/', 'runners/', 'service/', 'stores/'],
  },
  {
    name: 'runners',
    covers:
      'remote runners: takeovers, tokens, scripts, hostile runners, and in network namespaces cut connections, wrong clocks, proxies',
    has: (path) => RUNNERS(path) && !QUICK_STORIES.includes(path),
    atOnce: 2,
    after: ['network/uplink', 'runners/remote/', 'service/remote/', 'service/remote-run/'],
  },
  {
    name: 'releases',
    covers: 'upgrades and rollbacks under load, on one machine and in a cluster: no failed request, no wrong response',
    has: (path) => RELEASES(path) && !QUICK_STORIES.includes(path),
    after: ['http/connections/', 'http/listen.ts', 'projections/engine/', 'service/', 'stores/'],
  },
  {
    name: 'scripts',
    covers: 'scripts of checks in their sandbox: abilities, hostile scripts, browsers, templates',
    has: SCRIPTS,
    after: ['deploy/seccomp-scripts.json', 'domain/check/templates/', 'network/', 'probes/script/'],
  },
  {
    name: 'probes',
    covers: 'probes on random responses, leaks over thousands of runs, and servers with every weakness',
    has: PROBES,
    after: ['network/', 'probes/'],
  },
  {
    name: 'slow',
    covers: 'files that take most of a minute, since they try every interleaving, or every hostile text',
    has: SLOW,
    after: [],
  },
  {
    name: 'drills',
    covers:
      'a resource, a check type, a notifier, a channel type, a permission, a page and a reactor, each added to a copy of the project',
    has: below('test/drills/'),
    after: [
      'api/',
      'build.cjs',
      'docs/develop/',
      'domain/',
      'http/',
      'notifiers/',
      'projections/',
      'reactors/',
      'site/',
    ],
  },
  {
    name: 'versions',
    covers: 'the quick suite on Node.js 24, in a copy of the project',
    commands: [['bash', 'test/versions.sh', '24']],
    after: ['build.cjs', 'package-lock.json', 'package.json', 'stores/sqlite/'],
  },
  {
    name: 'package',
    covers: 'the packed package, installed without development dependencies on Node.js 20, 22, 24 and 26',
    commands: [['bash', 'test/package.sh', '20', '22', '24', '26']],
    after: ['build.cjs', 'package-lock.json', 'package.json', 'stores/sqlite/', 'test/package.sh'],
  },
  {
    name: 'image',
    covers: 'the files that the Dockerfile builds, run outside of a container',
    commands: [['bash', 'test/deploy/image.sh']],
    after: ['Dockerfile', '.dockerignore', 'deploy/', 'package.json'],
  },
  {
    name: 'openapi',
    covers: 'the OpenAPI document against the running program: valid and invalid requests',
    commands: [['bash', 'test/schemathesis.sh']],
    after: ['api/', 'docs/reference/openapi.json', 'http/'],
  },
  {
    name: 'coverage',
    covers: 'the quick suite with coverage, which must not fall below 90 % of the lines',
    commands: [['npm', 'run', '--silent', 'coverage']],
    after: ['.c8rc.json'],
  },
];

export const partOf = (path: string): Part | null => PARTS.find(({ has }) => has?.(path) ?? false) ?? null;

export const isQuick = (path: string): boolean => partOf(path) === null;
