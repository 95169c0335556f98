/** Compiles and loads a script: any mixture of CommonJS, ES modules and TypeScript. */
const { writeFileSync } = require('node:fs') as typeof import('node:fs');
const nodeModule = require('node:module') as typeof import('node:module');
const { compileFunction } = require('node:vm') as typeof import('node:vm');
const { file: LATER_IMPORTS } = require('./later-imports.cjs') as import('./later-imports.cts').LaterImportsModule;

type Internals = import('./internals.cts').Internals;
type Suite = import('./internals.cts').Suite;

/** The exports of `loading.cjs`. */
export interface LoadingModule {
  /**
   * Executes the top level of a script, which registers its tests.
   *
   * @param file path to which the script is written
   * @throws NotCompiled if the script has a syntax error; errors of the script
   */
  loadScript: (internals: Internals, file: string, source: string) => Promise<Suite>;
  NotCompiled: new (message: string, line: number | null, column: number | null) => NotCompiled;
  /** Compiles a sample, so that all parts of the compiler are loaded. */
  warmUpCompiler: (internals: Internals, file: string) => void;
}

/** The script has a syntax error. Lines and columns count from 1. */
export interface NotCompiled extends Error {
  line: number | null;
  column: number | null;
}

const NotCompiled = class extends Error {
  readonly line: number | null;
  readonly column: number | null;

  constructor(message: string, line: number | null, column: number | null) {
    super(message);
    this.name = 'SyntaxError';
    this.line = line;
    this.column = column;
  }
};

interface RunnableModule {
  exports: unknown;
  require: (specifier: string) => unknown;
  _compile: (code: string, file: string, format: 'commonjs') => unknown;
}

const loadScript: LoadingModule['loadScript'] = async (internals, file, source) => {
  writeFileSync(file, source);
  // A hashbang is valid only at the beginning of a file.
  const { code, map } = compiled(internals, file, source.replace(/^#!.*/, ''));
  if (map) internals.mapErrors(file, map);
  return internals.gatherTests(file, async () => {
    // If there is a top-level `await`, the whole script becomes an async function. Line numbers don't change.
    const error = unreadable(code, file);
    const waits = error?.message.startsWith('await is only valid') === true;
    const text = waits ? `module.exports = (async () => { ${code}\n})();` : code;
    const wrong = waits ? unreadable(text, file) : error;
    if (wrong) throw placed(wrong, map);
    const Module = nodeModule as unknown as new (id: string) => RunnableModule;
    const module = Object.assign(new Module(file), { filename: file });
    Object.defineProperty(module, 'importLater', {
      value: async (specifier: unknown) => namespaceOf(module.require(String(specifier))),
    });
    // Without an explicit format, newer releases of Node.js treat a module with a top-level `await` as an ES module.
    module._compile(text, file, 'commonjs');
    if (waits) await module.exports;
  });
};

/** Converts the result of `require` to what `import()` would return. */
const namespaceOf = (loaded: unknown): unknown => {
  if (typeof loaded !== 'object' && typeof loaded !== 'function') return { default: loaded };
  return { default: loaded, ...loaded };
};

const compiled = (internals: Internals, file: string, source: string): ReturnType<Internals['compile']> => {
  try {
    return internals.compile(source, file, LATER_IMPORTS);
  } catch (error) {
    const loc = (error as { loc?: { line: number; column: number } }).loc;
    if (!loc || !(error instanceof Error)) throw error;
    // Babel writes the file before its message, and the location after it.
    const sentence = error.message.replace(`${file}: `, '').replace(/ \(\d+:\d+\)$/, '');
    throw new NotCompiled(sentence, loc.line, loc.column);
  }
};

/** Parameters of the function in which Node.js wraps a CommonJS module. */
const OF_MODULES = ['exports', 'require', 'module', '__filename', '__dirname'] as const;

/**
 * Returns the syntax error that Node.js finds in a compiled script, without running the script. The module loader is
 * not used, because it would print a warning that the script may be an ES module.
 */
const unreadable = (code: string, file: string): SyntaxError | null => {
  try {
    compileFunction(code, OF_MODULES, { filename: file });
    return null;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
};

/** Converts a syntax error, whose stack begins with the location, to one with the location in the source. */
const placed = (error: Error, map: object | null): NotCompiled => {
  const [head = '', , carets = ''] = (error.stack ?? '').split('\n');
  const line = Number(head.slice(head.lastIndexOf(':') + 1));
  const origin = originOf(map, line, Math.max(0, carets.indexOf('^')));
  return new NotCompiled(error.message, origin?.line ?? null, origin?.column ?? null);
};

const originOf = (map: object | null, line: number, column: number): { line: number; column: number } | null => {
  if (map === null || !Number.isInteger(line)) return null;
  const found = new nodeModule.SourceMap(map as import('node:module').SourceMapPayload).findEntry(line - 1, column);
  return 'originalLine' in found ? { line: found.originalLine + 1, column: found.originalColumn + 1 } : null;
};

const WARM_UP = `
import { test, expect, type Page } from '@playwright/test';
interface Answer { name?: string }
class Cart { #items = 1; static size = 2; constructor(private page?: Page) {} get items() { return this.#items; } }
test.describe('a', () => {
  test.beforeEach(async ({ page }) => { await page.goto('/'); });
  test('b', async ({ request }, info): Promise<void> => {
    const { a = 1, ...rest }: any = await request.get(\`\${info.title}?\`);
    for (const one of [a]) expect.soft(one?.name ?? new Cart().items).toBe(rest as Answer);
    try { await import('zod'); } catch { /* none */ } finally { console.log(\`\${a}\`); }
  });
});
`;

const warmUpCompiler = (internals: Internals, file: string): void => {
  internals.compile(WARM_UP, file, LATER_IMPORTS);
};

module.exports = { loadScript, NotCompiled, warmUpCompiler } satisfies LoadingModule;
