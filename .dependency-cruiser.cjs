/** Who may import whom (docs/develop/map.md#who-imports-whom). Ports are `stores/<port>/port.ts`. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: {
    path: '^(domain|commands|queries|reactors|projections|network|probes|runners|notifiers|messages|views|stores|http|api|site|console|service|cli|test|bench)/',
    pathNot: allowed,
  },
});

const PORTS = '^stores/[^/]+/port\\.ts$';
/** Descriptors of the configuration of each alert channel type; they do no I/O. */
const CHANNEL_TYPES = '^notifiers/channels/(channel-type|configuration|index)\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'type imports count too: types that depend on each other belong in one module',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    only('domain-imports-nothing-of-ours', '^domain/', '^domain/', 'domain is pure'),
    only('network-imports-domain', '^network/', '^(network|domain)/', 'outgoing connections, for all folders'),
    only('messages-import-domain', '^messages/', '^(messages|domain)/', 'texts for people, in every medium'),
    only(
      'views-import-domain-and-messages',
      '^views/',
      '^(views|messages|domain)/',
      'components of pages are pure, so that everything that shows them can share them',
    ),
    only('stores-import-domain', '^stores/', '^(stores|domain)/', 'adapters know the domain, nothing above it'),
    only(
      'commands-import-domain-and-ports',
      '^commands/',
      ['^(commands|domain)/', PORTS, CHANNEL_TYPES],
      'commands never name an adapter',
    ),
    only(
      'projections-import-domain-and-ports',
      '^projections/',
      ['^(projections|domain)/', PORTS],
      'projections never name an adapter',
    ),
    only(
      'queries-import-projections-and-ports',
      '^queries/',
      ['^(queries|projections|domain)/', PORTS, CHANNEL_TYPES],
      'what is asked of the read models, whoever asks',
    ),
    only(
      'probes-import-network',
      '^probes/',
      '^(probes|network|domain)/',
      'how a target is examined, whoever wants to know',
    ),
    only(
      'runners-import-probes-network-and-ports',
      '^runners/',
      ['^(runners|probes|network|domain)/', PORTS],
      'runners never name an adapter',
    ),
    only(
      'notifiers-import-network-and-ports',
      '^notifiers/',
      ['^(notifiers|network|domain)/', PORTS],
      'notifiers never name an adapter',
    ),
    {
      name: 'channel-types-do-no-io',
      comment: 'every module that validates or shows a channel loads all types',
      severity: 'error',
      from: { path: '^notifiers/([^/]+/channel|channels/(bot-channel|channel-type|configuration|fields|index))\\.ts$' },
      to: {
        path: '^(network|stores|notifiers/[^/]+/index|notifiers/(service-request|bot-notifier|http-attempt|index)|notifiers/channels/channel-notifiers)',
        pathNot: '^notifiers/channels/index\\.ts$',
      },
    },
    only(
      'reactors-import-commands-queries-and-notifiers',
      '^reactors/',
      ['^(reactors|commands|queries|projections|notifiers|messages|domain)/', PORTS],
      'reactors never name an adapter',
    ),
    only(
      'http-imports-neither-commands-nor-queries',
      '^http/',
      ['^(http|network|projections|domain)/', PORTS],
      'http is what the interface and the site share',
    ),
    only(
      'api-imports-http-commands-and-queries',
      '^api/',
      ['^(api|http|commands|queries|projections|views|messages|domain)/', PORTS, CHANNEL_TYPES],
      'the interface never names an adapter',
    ),
    only(
      'site-imports-http-commands-and-queries',
      '^site/',
      ['^(site|http|commands|queries|projections|views|messages|domain)/', PORTS],
      'pages never name an adapter',
    ),
    only(
      'console-imports-views-and-messages',
      '^console/',
      '^(console|views|messages|domain)/',
      'the console runs in browsers, and knows the service by its interface alone',
    ),
    {
      name: 'only-the-console-imports-the-console',
      severity: 'error',
      from: { pathNot: '^(console|test)/' },
      to: { path: '^console/' },
    },
    {
      name: 'the-console-loads-nothing-of-node',
      comment: 'its imports are bundled for browsers',
      severity: 'error',
      from: { path: '^console/' },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'service-imports-all-below-it',
      '^service/',
      [
        '^(service|site|api|http|reactors|notifiers|messages|views|probes|runners|queries|projections|commands|stores|network|domain)/',
      ],
      'the composition knows no command of the command line',
    ),
    {
      name: 'one-place-loads-sqlite',
      comment: 'which package for SQLite is used depends on the Node.js',
      severity: 'error',
      from: { pathNot: '^stores/sqlite/driver\\.ts$' },
      to: { path: '(^|/)(better-sqlite3|@photostructure/sqlite)(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-tests',
      severity: 'error',
      from: { pathNot: '^(test|bench)/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'no-orphans',
      severity: 'warn',
      from: {
        orphan: true,
        pathNot: '(\\.d\\.ts|\\.(c|m)?js|^test/|^bench/|/browser/[^/]+\\.ts|^console/console\\.tsx)$',
      },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
  },
};
