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
  { files: ['**/*.js', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
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
