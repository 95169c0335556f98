/**
 * Access to internal parts of Playwright's test runner, in order to run one file in this process. Playwright itself
 * starts one process to load the tests and another to run them, which takes longer than most scripts. The parts have no
 * public API, so this file fits only the exact release that package.json pins. The tests of this folder fail if another
 * release differs.
 */
const nodeModule = require('node:module') as typeof import('node:module');
const path = require('node:path') as typeof import('node:path');

type Browser = import('playwright-core').Browser;
type BrowserContext = import('playwright-core').BrowserContext;
type Page = import('playwright-core').Page;

/** The exports of `internals.cjs`. */
export interface InternalsModule {
  /** @param modules folder that contains `node_modules` */
  loadInternals: (modules: string) => Internals;
  /** Returns the ffmpeg revision that Playwright needs, such as `1011`; null if it needs none. */
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
  location?: { file: string; line: number; column: number };
  _requireFile?: string;
  _parallelMode?: string;
  allTests: () => TestCase[];
}

/** An error as Playwright passes it between processes. */
export interface InternalError {
  message?: string;
  stack?: string;
  value?: string;
  cause?: InternalError;
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
  _isFailure: () => boolean;
  /** called when the function of a test has ended, before the `afterEach` hooks */
  _onDidFinishTestFunctionCallbacks: Set<() => Promise<void>>;
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
  _fixtureRunner: FixtureRunner;
  _currentTest: TestInfo | null;
  _didRunFullCleanup: boolean;
  dispatchEvent: (method: string, payload: never) => void;
  runTestGroup: (group: {
    file: string;
    entries: { testId: string; retry: number; planAnnotations: unknown[] }[];
  }) => Promise<void>;
}

export interface CreatedWorker {
  worker: Worker;
  /**
   * Removes a finished worker's listeners for uncaught errors. In Playwright, the worker's process would have ended.
   */
  dismiss: () => void;
}

export interface FixtureRunner {
  workerFixtureTimeout: number;
  /** fixtures that are set up */
  instanceForId: Map<string, { registration: { scope: string; location?: { file: string } } }>;
  teardownScope: (scope: 'worker', info: TestInfo, runnable: { type: 'teardown' }) => Promise<void>;
}

/** An instance of a browser API class; all instances share its prototype. */
export interface Client {
  constructor: { prototype: Record<string, unknown> };
}

/** Receives the contexts of all browsers. If a method throws, the script receives the error. */
export interface Listener {
  runBeforeCreateBrowserContext?: (options: Record<string, unknown>) => Promise<void>;
  runAfterCreateBrowserContext?: (context: BrowserContext) => Promise<void>;
  runBeforeCloseBrowserContext?: (context: BrowserContext) => Promise<void>;
  runBeforeCreateRequestContext?: (options: Record<string, unknown>) => Promise<void>;
}

export interface Playwright {
  chromium: { launch: (options?: object) => Promise<Browser>; name: () => string };
  request: { newContext: (options?: object) => Promise<import('playwright-core').APIRequestContext> };
  _instrumentation: { addListener: (listener: Listener) => void };
  _allPages: () => Page[];
  _connection: {
    dispatch: (message: Message) => void;
    /** Returns the implementation of a browser type, which runs in this process. */
    toImpl: (type: Playwright['chromium']) => BrowserTypeServer;
    _objects: ReadonlyMap<string, { _initializer: { url?: string } }>;
  };
}

/** The implementation of a browser type. */
export interface BrowserTypeServer {
  /** Called with the folder of a profile before a browser is launched with this profile. */
  prepareUserDataDir: (options: object, folder: string) => Promise<void>;
}

/** A response or event from the browser's implementation. */
export interface Message {
  method?: string;
  /** of `requestFailed` */
  params?: { request: { guid: string }; failureText?: string };
  error?: { error?: { message: string; stack?: string } };
}

/** A browser object that can be called without creating a step of the test. */
export interface Quiet {
  _wrapApiCall: <T>(call: () => Promise<T>, options: { internal: true }) => Promise<T>;
}

export interface TestType {
  extend: (fixtures: object) => TestType;
}

export interface Compiled {
  code: string;
  map: object | null;
}

export interface Internals {
  playwright: Playwright;
  /** the exports of `@playwright/test` */
  api: Record<string, unknown> & { test: TestType };
  createWorker: () => CreatedWorker;
  /** @param plugin path of a Babel plugin @throws SyntaxError with `loc` */
  compile: (source: string, file: string, plugin: string) => Compiled;
  /** Makes the stacks of errors refer to the source of a compiled file. @param map source map */
  mapErrors: (file: string, map: object) => void;
  /** Collects the tests that `register` registers. Workers that are created afterwards run these tests. */
  gatherTests: (file: string, register: () => Promise<void>) => Promise<Suite>;
  /** Returns the tests of a file that will run: those marked `only` or, if there are none, all tests. */
  chosenTests: (project: unknown, suite: Suite) => TestCase[];
  createConfig: (folder: string, use: object, timeout: number) => { config: unknown; project: unknown };
}

interface Common {
  ProcessRunner: unknown;
  config: { FullConfigInternal: new (location: object, user: object, overrides: object) => { projects: unknown[] } };
  test: { Suite: new (title: string, type: 'file') => Suite };
  suiteUtils: {
    bindFileSuiteToProject: (project: unknown, suite: Suite) => Suite;
    filterOnly: (suite: Suite) => void;
  };
  poolBuilder: { PoolBuilder: { createForWorker: (project: unknown) => unknown } };
}

interface Utils {
  sourceMapSupport: {
    install: (options: {
      environment: 'node';
      handleUncaughtExceptions: false;
      overrideRetrieveSourceMap: true;
      retrieveSourceMap: (source: string) => { url: string; map: object } | null;
    }) => void;
  };
}

interface Core {
  utils: { setBoxedStackPrefixes: (folders: string[]) => void };
}

interface Globals {
  setCurrentlyLoadingFileSuite: (suite: Suite | undefined) => void;
}

interface Babel {
  babelTransform: (
    ...given: [
      source: string,
      file: string,
      isModule: boolean,
      plugins: [file: string, options: object][],
      useDefineForClassFields: boolean,
      jsx: undefined,
    ]
  ) => { code?: string; map?: object } | null;
}

/** Maximum number of frames of a stack. It is high, because most frames are Playwright's. */
const LONGEST_STACK = 100;

/** Events of the process to which every worker listens. */
const UNCAUGHT = ['unhandledRejection', 'uncaughtException'] as const;

const loadInternals = (modules: string): Internals => {
  const from = nodeModule.createRequire(path.join(modules, 'node_modules', 'script.js'));
  const api = from('@playwright/test') as Internals['api'];
  const testing = nodeModule.createRequire(from.resolve('@playwright/test'));
  const lib = path.join(path.dirname(testing.resolve('playwright/package.json')), 'lib');
  const inner = nodeModule.createRequire(path.join(lib, 'x.js'));
  const commonFile = path.join(lib, 'common', 'index.js');
  const common = inner(commonFile) as Common;
  const globals = inner(path.join(lib, 'globals.js')) as Globals;
  const babel = inner(path.join(lib, 'transform', 'babelBundle.js')) as Babel;
  const playwright = inner('playwright-core') as Playwright;

  let gathered: Suite | null = null;
  let create: ((params: object) => Worker) | null = null;
  const loaded = require.cache[commonFile];
  if (!loaded) throw new Error('Playwright has no common part.');
  // When the worker module is loaded, it starts a worker process, which loads the tests through hooks that need another
  // thread on Node.js 20. Here, only the worker class is needed, so these two functions are replaced while the module
  // is loaded.
  loaded.exports = Object.create(common, {
    startProcessRunner: {
      value: (creator: (params: object) => Worker) => {
        create = creator;
      },
    },
    testLoader: { value: { loadTestFile: () => Promise.resolve(gathered) } },
  }) as unknown;
  inner(path.join(lib, 'worker', 'workerProcessEntry.js'));
  loaded.exports = common;
  // The location of an error is the first stack frame that belongs neither to Playwright nor to this program.
  const { utils } = inner('playwright-core/lib/coreBundle') as Core;
  utils.setBoxedStackPrefixes([path.dirname(lib), __dirname]);
  const maps = new Map<string, object>();
  const { sourceMapSupport } = inner('playwright-core/lib/utilsBundle') as Utils;
  // Only scripts have source maps here. Searching Playwright's large files for source maps would take longer than most
  // scripts.
  sourceMapSupport.install({
    environment: 'node',
    handleUncaughtExceptions: false,
    overrideRetrieveSourceMap: true,
    retrieveSourceMap: (source) => {
      const map = maps.get(source);
      return map === undefined ? null : { url: source, map };
    },
  });
  Error.stackTraceLimit = LONGEST_STACK;

  let current: { config: unknown; project: unknown; folder: string } | null = null;
  return {
    api,
    playwright,
    compile: (source, file, plugin) => {
      const plugins: [string, object][] = [[plugin, {}]];
      const { code = source, map = null } = babel.babelTransform(source, file, false, plugins, true, undefined) ?? {};
      return { code, map };
    },
    mapErrors: (file, map) => {
      maps.set(file, map);
    },
    gatherTests: async (file, register) => {
      const suite = new common.test.Suite(path.basename(file), 'file');
      suite._requireFile = file;
      suite.location = { file, line: 0, column: 0 };
      globals.setCurrentlyLoadingFileSuite(suite);
      try {
        await register();
      } finally {
        globals.setCurrentlyLoadingFileSuite(undefined);
      }
      gathered = suite;
      return suite;
    },
    chosenTests: (project, suite) => {
      const bound = common.suiteUtils.bindFileSuiteToProject(project, suite);
      common.suiteUtils.filterOnly(bound);
      return bound.allTests();
    },
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
      const before = UNCAUGHT.map((event) => process.rawListeners(event));
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
      const added = UNCAUGHT.map((event, at) =>
        process.rawListeners(event).filter((one) => !before[at]?.includes(one)),
      );
      return {
        worker,
        dismiss: () => {
          UNCAUGHT.forEach((event, at) => added[at]?.forEach((listener) => process.off(event, listener as () => void)));
        },
      };
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
