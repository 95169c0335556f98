import tseslint from 'typescript-eslint';

const NO_SLEEP =
  'Use test/waiting.ts: `eventually` waits for a condition, `within` limits a promise, ' +
  'and `realPause` marks a pause of real time, with the reason why it must be one.';

/**
 * Selectors that match `new Promise((resolve) => setTimeout(resolve, …))`, with or without braces and with or without a
 * value.
 */
const PROMISE = "NewExpression[callee.name='Promise'] > ";
const FUNCTION = ':matches(ArrowFunctionExpression, FunctionExpression)';
const SET_TIMEOUT = "CallExpression[callee.name='setTimeout']";
const SLEEPS = [
  `${PROMISE}${FUNCTION} > ${SET_TIMEOUT}`,
  `${PROMISE}${FUNCTION} > BlockStatement > ExpressionStatement > ${SET_TIMEOUT}`,
  `${PROMISE}${FUNCTION} > UnaryExpression > ${SET_TIMEOUT}`,
  "CallExpression[callee.name='promisify'] > Identifier[name='setTimeout']",
];

/**
 * Functions that open connections. Only network/ may use them, because the code there checks each target against the
 * target policy.
 */
const ONLY_IN_NETWORK =
  'Open connections through network/ (open-connection.ts, http-request.ts), which checks the policy of their context (policy.ts).';
const CONNECTING = [
  ['net', ['connect', 'createConnection']],
  ['tls', ['connect']],
  ['http', ['request', 'get', 'Agent']],
  ['https', ['request', 'get', 'Agent']],
  ['http2', ['connect']],
  ['dgram', ['createSocket']],
].flatMap(([module, importNames]) =>
  [module, `node:${module}`].map((name) => ({ name, importNames, message: ONLY_IN_NETWORK })),
);

/**
 * Forbids turning a text into markup and an attribute into a style. The console's Content-Security-Policy forbids both
 * as well.
 */
const ONLY_TEXT = [
  { selector: "JSXAttribute[name.name='style']", message: 'Put styles into stylesheets.' },
  ...[
    "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment)$/]',
  ].map((selector) => ({ selector, message: 'Render texts as text, never as markup.' })),
];

export default tseslint.config(
  { ignores: ['build/', 'dist/', 'coverage/', 'node_modules/', 'test/drills/*/added/'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Every port is asynchronous, so adapters return promises even if they await nothing.
      '@typescript-eslint/require-await': 'off',
      // Some type defaults are empty on purpose, for example "no parameters".
      '@typescript-eslint/no-generated-empty-object-type': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/waiting.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:timers/promises', 'timers/promises'].map((name) => ({
            name,
            importNames: ['setTimeout', 'scheduler'],
            message: NO_SLEEP,
          })),
        },
      ],
      'no-restricted-syntax': ['error', ...SLEEPS.map((selector) => ({ selector, message: NO_SLEEP }))],
    },
  },
  {
    files: ['**/*.ts'],
    ignores: [
      ...['network/**', 'test/**', 'bench/**', 'domain/target/**'],
      // Stores connect to the service's own databases and storage, whose addresses only the operator sets.
      'stores/**',
      // These files speak TLS and HTTP over connections that network/ has opened.
      ...['probes/ssl/handshake.ts', 'probes/ssl/vulnerabilities/older-handshake.ts'],
      // This file imports all of `node:tls`, because the function for reading root certificates differs between
      // releases of Node.js.
      'probes/ssl/certificate/anchors.ts',
      'probes/script/proxy/forward.ts',
      // This file connects to a Unix socket.
      'service/command-socket.ts',
      // These files run in browsers, where the Content-Security-Policy of the page limits connections.
      ...['console/**', 'site/browser/**'],
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [...CONNECTING, { name: 'undici', message: ONLY_IN_NETWORK }],
          patterns: [
            {
              group: ['**/target/policy.ts'],
              importNames: ['createTargetPolicy', 'UNRESTRICTED_POLICY'],
              message: 'Let network/policy.ts build policies, so that each contains the reserved addresses.',
            },
            { group: ['**/network/connect.ts'], importNames: ['connectToFirst'], message: ONLY_IN_NETWORK },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: ONLY_IN_NETWORK })),
      ],
    },
  },
  // Scripts of pages run in browsers, where the Content-Security-Policy of the page limits connections.
  {
    files: ['site/browser/**/*.ts', 'console/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  // Functions that compose a process must stay readable.
  {
    files: ['service/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', 100] },
  },
  // Only the ignored files may connect to the service's own servers, so no other file may import the policy that allows
  // these connections.
  {
    files: ['**/*.ts'],
    ignores: [...['network/**', 'test/**', 'bench/**', 'notifiers/email/transport.ts', 'runners/worker/anchors.ts']],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportSpecifier[imported.name='OWN_SERVERS_POLICY']",
          message:
            'Only connections to the mail relay and the anchors may bypass the target policy (network/policy.ts).',
        },
      ],
    },
  },
  // The console also shows texts that come from targets, so it must never insert a text as markup.
  {
    files: ['console/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ONLY_TEXT] },
  },
  // A hard-coded text would exist in one language only, so the console takes all texts from messages/.
  {
    files: ['console/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...ONLY_TEXT,
        {
          selector: 'JSXText[value=/[a-z]{2}/i]:not([value=/^\\s*Uptrail\\s*$/])',
          message: 'Put texts into messages/console-words/, in every language.',
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['**/*.cts'],
    rules: {
      // CommonJS in TypeScript has no other import syntax that Node.js can run without compilation.
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    },
  },
);
