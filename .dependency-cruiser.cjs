/** Who may import whom (docs/architecture.md). Ports are the files named port.ts in stores/. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(domain|commands|projections|api|runners|stores|notifiers|cli|test|bench)/', pathNot: allowed },
});

const PORTS = '^stores/[^/]+/port\\.ts$';

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    only('domain-imports-nothing-of-ours', '^domain/', '^domain/', 'domain is pure'),
    only(
      'commands-import-domain-and-ports',
      '^commands/',
      ['^(commands|domain)/', PORTS],
      'commands never name an adapter',
    ),
    only(
      'projections-import-domain-and-ports',
      '^projections/',
      ['^(projections|domain)/', PORTS],
      'projections never name an adapter',
    ),
    only(
      'api-imports-commands-and-projections',
      '^api/',
      ['^(api|commands|projections|domain)/', PORTS],
      'api never names an adapter',
    ),
    only(
      'runners-import-domain-and-ports',
      '^runners/',
      ['^(runners|domain)/', PORTS],
      'runners never name an adapter',
    ),
    only(
      'notifiers-import-domain-and-ports',
      '^notifiers/',
      ['^(notifiers|domain)/', PORTS],
      'notifiers never name an adapter',
    ),
    only('stores-import-domain', '^stores/', ['^(stores|domain)/'], 'adapters know the domain, nothing above it'),
    {
      name: 'one-place-loads-sqlite',
      comment: 'which better-sqlite3 there is depends on the Node.js',
      severity: 'error',
      from: { pathNot: '^stores/sqlite/driver\\.ts$' },
      to: { path: '(^|/)better-sqlite3(-node20)?(/|$)', dependencyTypesNot: ['type-only'] },
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
      from: { orphan: true, pathNot: '(\\.d\\.ts|\\.(c|m)?js|^test/|^bench/)$' },
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
