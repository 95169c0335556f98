/**
 * The modules that a script may import, and error messages for others. The protection is the sandbox, not this list:
 * the list makes unsupported scripts fail immediately, with a message that names an alternative.
 *
 * Only imports by the script are checked, not those by packages.
 */

/** The exports of `modules.cjs`. */
export interface ModulesModule {
  /**
   * @param specifier the module as written in the script: `node:fs/promises`, `dayjs/plugin/utc`
   * @returns null if the script may import the module; otherwise a sentence that says why not
   */
  mayImport: (specifier: string) => string | null;
  /** The packages that may be imported, for a list in the documentation. */
  PACKAGES: readonly string[];
}

/** Modules of Node.js, including their subpaths (`fs/promises`). */
const OF_NODE: ReadonlySet<string> = new Set([
  ...['assert', 'async_hooks', 'buffer', 'console', 'constants', 'crypto', 'diagnostics_channel', 'events', 'fs'],
  ...['http', 'https', 'module', 'os', 'path', 'perf_hooks', 'process', 'punycode', 'querystring', 'readline'],
  ...['stream', 'string_decoder', 'sys', 'timers', 'tty', 'url', 'util', 'vm', 'zlib'],
]);

/** Packages, each with a pattern of the subpaths that may be imported. */
const OF_OTHERS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    '@playwright/test': /^$/,
    '@faker-js/faker': /^(\/locale\/[\w-]+)?$/,
    dayjs: /^(\/(plugin|locale)\/[\w-]+(\.js)?)?$/,
    zod: /^(\/[\w-]+)*$/,
    jsonwebtoken: /^$/,
    otpauth: /^$/,
  }),
);

const FETCH = 'Use fetch, or the request fixture of a test.';
const SOCKETS = 'Scripts speak HTTP: use fetch, node:http, node:https, or the request fixture of a test.';
const PROCESSES = 'A script runs in one process and can start no others.';

/** Alternatives to frequently used modules that are not available. */
const INSTEAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    net: `${SOCKETS} Use a check of type tcp for other services.`,
    tls: `${SOCKETS} Use a check of type ssl for certificates.`,
    dgram: SOCKETS,
    http2: SOCKETS,
    quic: SOCKETS,
    dns: 'Names are resolved outside the sandbox, when a connection is opened. Use a check of type dns, or ask a name server over HTTPS with fetch.',
    child_process: PROCESSES,
    cluster: PROCESSES,
    worker_threads: PROCESSES,
    inspector: "Scripts can't be debugged interactively: use console.log.",
    repl: 'Scripts run without a user, so nothing can be typed.',
    test: 'Use test and expect of @playwright/test.',

    playwright: 'Use @playwright/test, which has the same and the fixtures of a test.',
    'playwright-core': 'Use @playwright/test, which has the same and the fixtures of a test.',
    '@playwright/browser-chromium': 'Use @playwright/test, whose page fixture has a browser.',
    puppeteer: 'Use the page fixture of @playwright/test.',
    'puppeteer-core': 'Use the page fixture of @playwright/test.',
    'selenium-webdriver': 'Use the page fixture of @playwright/test.',
    undici: FETCH,
    axios: FETCH,
    got: FETCH,
    ky: FETCH,
    'node-fetch': FETCH,
    request: FETCH,
    superagent: FETCH,
    supertest: FETCH,
    ws: 'Use WebSocket, which needs no import.',
    'form-data': 'Use FormData, which needs no import.',
    chai: 'Use expect of @playwright/test.',
    jest: 'Use test and expect of @playwright/test.',
    mocha: 'Use test and expect of @playwright/test.',
    vitest: 'Use test and expect of @playwright/test.',
    faker: 'Use @faker-js/faker.',
    moment: 'Use dayjs.',
    luxon: 'Use dayjs.',
    'date-fns': 'Use dayjs.',
    joi: 'Use zod.',
    yup: 'Use zod.',
    ajv: 'Use zod.',
    jose: 'Use jsonwebtoken.',
    otplib: 'Use otpauth.',
    speakeasy: 'Use otpauth.',
    uuid: 'Use randomUUID of node:crypto.',
    nanoid: 'Use randomUUID of node:crypto.',
    'crypto-js': 'Use node:crypto.',
    dotenv: 'Bind secrets to the check: they are in process.env.',
    lodash: 'The language itself has most of it.',
  }),
);

const PACKAGES = [...OF_OTHERS.keys()];

const OFFERED = `Scripts may import ${PACKAGES.slice(0, -1).join(', ')} and ${PACKAGES.at(-1) ?? ''}, and modules of Node.js such as fs, path and crypto.`;

const mayImport = (specifier: string): string | null => {
  // Shortens a long specifier for the sentence.
  const shown = specifier.length > 100 ? `${specifier.slice(0, 100)}…` : specifier;
  if (/^(\.{0,2}\/|\.{1,2}$|#|file:)/.test(specifier) || /^[a-z]:[\\/]/i.test(specifier))
    return `"${shown}" can't be imported: a script is one file and has no others beside it. ${OFFERED}`;
  if (/^(https?|data|blob):/i.test(specifier))
    return `"${shown}" can't be imported: code comes from the script and installed packages only. ${OFFERED}`;

  const name = nameOf(specifier);
  const path = specifier.slice(specifier.indexOf(name) + name.length);
  const prefixed = specifier.startsWith('node:');
  if (OF_NODE.has(name)) return null;
  if (!prefixed && OF_OTHERS.get(name)?.test(path) === true) return null;
  if (!prefixed && OF_OTHERS.has(name)) return `"${shown}" can't be imported, only "${name}" itself. ${OFFERED}`;
  return `"${shown}" can't be imported. ${INSTEAD.get(name) ?? OFFERED}`;
};

/**
 * Returns the module or package of a specifier: `@faker-js/faker` for `@faker-js/faker/locale/de`, `fs` for
 * `node:fs/promises`.
 */
const nameOf = (specifier: string): string => {
  const parts = specifier.replace(/^node:/, '').split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
};

module.exports = { mayImport, PACKAGES } satisfies ModulesModule;
