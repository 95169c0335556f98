import tseslint from 'typescript-eslint';

const NO_SLEEP =
  'Use test/waiting.ts: `eventually` waits for a condition, `within` limits a promise, ' +
  'and `realPause` marks a pause of real time, with the reason why it must be one.';

/** `new Promise((resolve) => setTimeout(resolve, …))`, with braces or without, and whatever it resolves with. */
const PROMISE = "NewExpression[callee.name='Promise'] > ";
const FUNCTION = ':matches(ArrowFunctionExpression, FunctionExpression)';
const SET_TIMEOUT = "CallExpression[callee.name='setTimeout']";
const SLEEPS = [
  `${PROMISE}${FUNCTION} > ${SET_TIMEOUT}`,
  `${PROMISE}${FUNCTION} > BlockStatement > ExpressionStatement > ${SET_TIMEOUT}`,
  `${PROMISE}${FUNCTION} > UnaryExpression > ${SET_TIMEOUT}`,
  "CallExpression[callee.name='promisify'] > Identifier[name='setTimeout']",
];

/** What opens a connection by itself, and what judges targets: network/ does both, for everybody. */
const ONLY_IN_NETWORK =
  'Connections are opened by network/ (open.ts, http-request.ts), which asks the policy of their context (policy.ts).';
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

/** What would make markup of a text, or a style of an attribute: the console's policy refuses both. */
const ONLY_TEXT = [
  { selector: "JSXAttribute[name.name='style']", message: 'Styles are in stylesheets.' },
  ...[
    "JSXAttribute[name.name='dangerouslySetInnerHTML']",
    'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|createContextualFragment)$/]',
  ].map((selector) => ({ selector, message: 'Texts are shown as text, never as markup.' })),
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
      // Adapters answer in promises whether or not they wait for anything: every port is asynchronous.
      '@typescript-eslint/require-await': 'off',
      // Type-level defaults such as "no parameters" are empty on purpose.
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
      // The clients of the service's own servers, which only the operator names.
      'stores/**',
      // TLS and HTTP over connections that network/ has opened.
      ...['probes/ssl/handshake.ts', 'probes/ssl/vulnerabilities/older-handshake.ts'],
      // It asks Node.js for its certificates, by whatever name this release has for them.
      'probes/ssl/certificate/anchors.ts',
      'probes/script/proxy/forward.ts',
      // A socket of the file system.
      'service/operator-socket.ts',
      // They run in browsers, under the policies of their pages.
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
              importNames: ['createTargetPolicy', 'ANYWHERE'],
              message: 'network/policy.ts builds every policy, so that none lacks what is reserved.',
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
  // Scripts of pages run in browsers, whose policy (Content-Security-Policy) says where they may connect.
  {
    files: ['site/browser/**/*.ts', 'console/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  // A process is put together in functions that fit on a screen.
  {
    files: ['service/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', 100] },
  },
  // Where the service may reach its own servers, and so the only files that may say so.
  {
    files: ['**/*.ts'],
    ignores: [...['network/**', 'test/**', 'bench/**', 'notifiers/email/transport.ts', 'runners/worker/anchors.ts']],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportSpecifier[imported.name='OWN_SERVERS']",
          message: 'Only the mail relay and the anchors may be reached without being judged (network/policy.ts).',
        },
      ],
    },
  },
  // What the console shows comes from targets, too: nothing of it becomes markup.
  {
    files: ['console/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...ONLY_TEXT] },
  },
  // And it says nothing in one language only.
  {
    files: ['console/**/*.tsx'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...ONLY_TEXT,
        {
          selector: 'JSXText[value=/[a-z]{2}/i]:not([value=/^\\s*Uptrail\\s*$/])',
          message: 'Words are in messages/console-words/, in every language.',
        },
      ],
    },
  },
  { files: ['**/*.js', '**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['**/*.cts'],
    rules: {
      // The compiler has no other syntax for it that Node.js could read without it.
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    },
  },
);
