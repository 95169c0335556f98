/**
 * The parts of Playwright's test runner that run one file in this very process. Its own runner starts a process to load
 * the tests and another one to run them, which takes longer than most scripts. The parts have no public names, so they
 * are those of the one release that package.json pins; the specifications of this folder fail where another one has
 * others.
 */
const nodeModule = require('node:module') as typeof import('node:module');
const path = require('node:path') as typeof import('node:path');

/** What `require('./internals.cjs')` gives. */
export interface InternalsModule {
  /** @param modules folder that has `node_modules` */
  loadInternals: (modules: string) => Internals;
  /** Revision of ffmpeg that Playwright looks for, such as `1011`; null: it looks for none. */
  ffmpegRevisionIn: (modules: string) => string | null;
}

export interface TestCase {
  id: string;
  title: string;
  location: { line: number };
  parent: Suite;
  _planAnnotations: unknown[];
}

export interface Suite {
  title: string;
  type?: string;
  parent?: Suite;
  _parallelMode?: string;
  allTests: () => TestCase[];
}

/** What went wrong, as it is passed between processes. */
export interface InternalError {
  message?: string;
  stack?: string;
  value?: string;
}

export interface Step {
  complete: (result: { error?: unknown; softError?: unknown }) => void;
}

export interface TestInfo {
  testId: string;
  status: string;
  expectedStatus: string;
  timeout: number;
  errors: InternalError[];
  _addStep: (...given: unknown[]) => Step;
  _timeoutManager: {
    setTimeout: (milliseconds: number) => void;
    slow: () => void;
    defaultSlot: () => { elapsed: number };
  };
}

export interface Worker {
  _config: unknown;
  _project: unknown;
  _poolBuilder: unknown;
  _fixtureRunner: { workerFixtureTimeout: number };
  _currentTest: TestInfo | null;
  dispatchEvent: (method: string, payload: never) => void;
  runTestGroup: (group: {
    file: string;
    entries: { testId: string; retry: number; planAnnotations: unknown[] }[];
  }) => Promise<void>;
}

/** An instance of the client of a browser, whose prototype all others share. */
export interface Client {
  constructor: { prototype: Record<string, unknown> };
}

export interface Playwright {
  chromium: {
    launch: (options: object) => Promise<import('playwright-core').Browser>;
  };
  _instrumentation: {
    addListener: (listener: {
      runAfterCreateBrowserContext: (context: import('playwright-core').BrowserContext) => Promise<void>;
    }) => void;
  };
}

export interface TestType {
  extend: (fixtures: object) => TestType;
}

export interface Internals {
  playwright: Playwright;
  /** what `require('@playwright/test')` gives */
  api: Record<string, unknown> & { test: TestType };
  createWorker: () => Worker;
  /** Loads a file of tests, once. @throws SyntaxError and whatever the file throws */
  loadTests: (file: string, config: unknown) => Promise<Suite>;
  /** The tests of a file that are to be run: all, or those that `only` names. */
  chosenTests: (project: unknown, suite: Suite) => TestCase[];
  createConfig: (folder: string, use: object, timeout: number) => { config: unknown; project: unknown };
  /** Compiles a text as a script, so that everything which that needs is loaded. */
  warmUp: (file: string) => Promise<void>;
}

interface Common {
  ProcessRunner: unknown;
  config: { FullConfigInternal: new (location: object, user: object, overrides: object) => { projects: unknown[] } };
  testLoader: { loadTestFile: (file: string, config: unknown) => Promise<Suite> };
  suiteUtils: {
    bindFileSuiteToProject: (project: unknown, suite: Suite) => Suite;
    filterOnly: (suite: Suite) => void;
  };
  poolBuilder: { PoolBuilder: { createForWorker: (project: unknown) => unknown } };
  transform: {
    installTransformIfNeeded: () => void;
    setTransformConfig: (config: { external: string[] }) => Promise<void>;
    setSingleTSConfig: (file?: string) => Promise<void>;
    transformHook: (code: string, file: string) => unknown;
  };
}

const loadInternals = (modules: string): Internals => {
  const from = nodeModule.createRequire(path.join(modules, 'node_modules', 'script.js'));
  const api = from('@playwright/test') as Internals['api'];
  const testing = nodeModule.createRequire(from.resolve('@playwright/test'));
  const folder = path.dirname(testing.resolve('playwright/package.json'));
  const inner = nodeModule.createRequire(path.join(folder, 'lib', 'x.js'));
  const commonFile = path.join(folder, 'lib', 'common', 'index.js');
  const common = inner(commonFile) as Common;
  const playwright = inner('playwright-core') as Playwright;

  // The file of a worker process starts it as soon as it is loaded; only the worker is wanted.
  let create: ((params: object) => Worker) | null = null;
  const loaded = require.cache[commonFile];
  if (!loaded) throw new Error('Playwright has no common part.');
  loaded.exports = Object.create(common, {
    startProcessRunner: {
      value: (creator: (params: object) => Worker) => {
        create = creator;
      },
    },
  }) as unknown;
  inner(path.join(folder, 'lib', 'worker', 'workerProcessEntry.js'));
  loaded.exports = common;

  let current: { config: unknown; project: unknown; folder: string } | null = null;
  return {
    api,
    playwright,
    createConfig: (testDir, use, timeout) => {
      const user = {
        testDir,
        outputDir: path.join(testDir, '.results'),
        timeout,
        use,
        workers: 1,
        retries: 0,
        reporter: 'null',
      };
      const config = new common.config.FullConfigInternal({ configDir: testDir }, user, {});
      current = { config, project: config.projects[0], folder: testDir };
      return current;
    },
    createWorker: () => {
      if (!create || !current) throw new Error('Playwright has no worker.');
      const worker = create({
        workerIndex: 0,
        parallelIndex: 0,
        repeatEachIndex: 0,
        projectId: '',
        config: null,
        artifactsDir: path.join(current.folder, '.artifacts'),
      });
      worker._config = current.config;
      worker._project = current.project;
      worker._poolBuilder = common.poolBuilder.PoolBuilder.createForWorker(current.project);
      worker._fixtureRunner.workerFixtureTimeout = (
        current.project as { project: { timeout: number } }
      ).project.timeout;
      return worker;
    },
    loadTests: (file, config) => common.testLoader.loadTestFile(file, config),
    chosenTests: (project, suite) => {
      const bound = common.suiteUtils.bindFileSuiteToProject(project, suite);
      common.suiteUtils.filterOnly(bound);
      return bound.allTests();
    },
    warmUp: async (file) => {
      await common.transform.setTransformConfig({ external: [] });
      await common.transform.setSingleTSConfig();
      common.transform.installTransformIfNeeded();
      common.transform.transformHook(
        `import { test, expect } from '@playwright/test';\ntest('a', async ({ page }, info): Promise<void> => { const { a = 1, ...b }: any = await info; for (const c of [a]) expect(\`\${c}\`).toBe(b?.d ?? 1); });\nclass A { #b = 1; static c = async () => { try { await import('x'); } catch {} } }`,
        file,
      );
    },
  };
};

const ffmpegRevisionIn = (modules: string): string | null => {
  const from = nodeModule.createRequire(path.join(modules, 'node_modules', 'script.js'));
  const core = nodeModule.createRequire(
    nodeModule.createRequire(from.resolve('@playwright/test')).resolve('playwright/package.json'),
  );
  const { browsers } = core(path.join(path.dirname(core.resolve('playwright-core/package.json')), 'browsers.json')) as {
    browsers: { name: string; revision: string }[];
  };
  return browsers.find(({ name }) => name === 'ffmpeg')?.revision ?? null;
};

module.exports = { loadInternals, ffmpegRevisionIn } satisfies InternalsModule;
