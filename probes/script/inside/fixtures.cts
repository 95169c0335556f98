/** The `@playwright/test` that a script imports. */
type Browser = import('playwright-core').Browser;
type Internals = import('./internals.cts').Internals;
type Playwright = import('./internals.cts').Playwright;

/** The exports of `fixtures.cjs`. */
export interface FixturesModule {
  /** Returns the package for scripts without a browser. */
  withoutBrowser: (internals: Internals) => object;
  /** Returns the package for scripts with a browser, which is already open. */
  withBrowser: (internals: Internals, open: GivenBrowser) => object;
}

export interface GivenBrowser {
  browser: Browser;
  /** the options with which the browser was launched */
  options: LaunchOptions;
  /** adds a warning to the script's logs */
  warn: (sentence: string) => void;
}

/** Launch options. They are merged with those of a script. */
export interface LaunchOptions {
  executablePath: string;
  args: readonly string[];
  [option: string]: unknown;
}

interface Fixtures {
  playwright: Playwright;
  launchOptions: LaunchOptions;
  browserName: string;
}

const NO_BROWSER =
  'A check of type multistep has no browser: the fixtures page, context and browser need one of type synthetic.';

/**
 * Replaces a fixture. Needs the empty pattern: Playwright parses the source to find the fixtures that it depends on.
 */
const noBrowser = async ({}: object): Promise<never> => {
  throw new Error(NO_BROWSER);
};

type BrowserType = Record<string, unknown> & { name: () => string };

const LAUNCHES = ['launch', 'launchServer', 'launchPersistentContext', 'connect', 'connectOverCDP'] as const;

const withoutBrowser: FixturesModule['withoutBrowser'] = ({ api }) => {
  refuse(api['chromium'] as BrowserType, LAUNCHES, NO_BROWSER);
  return packageWith(api, {
    browser: [noBrowser, { scope: 'worker', box: true }],
    context: noBrowser,
    page: noBrowser,
  });
};

const withBrowser: FixturesModule['withBrowser'] = ({ api }, { browser, options, warn }) => {
  const chromium = api['chromium'] as BrowserType;
  refuse(chromium, ['connect', 'connectOverCDP'], 'A script can use only the installed browser.');
  joinOptions(chromium, options, warn);
  const given = async (
    { playwright, launchOptions, browserName }: Fixtures,
    use: (browser: Browser) => Promise<void>,
  ): Promise<void> => {
    if (browserName !== 'chromium') warn(`The browser is Chromium, not ${browserName}: no other browser is installed.`);
    const usual = launchOptions === options && browser.isConnected();
    const one = usual ? browser : await playwright.chromium.launch();
    await use(one);
    // Closes everything that a test left open, so that the next test gets a clean browser.
    if (usual) for (const context of browser.contexts()) await context.close().catch(() => undefined);
    else await one.close();
  };
  return packageWith(api, { browser: [given, { scope: 'worker', timeout: 0 }] });
};

/** Adds fixtures to the package. The package is also its `test` function, so the extended `test` must replace both. */
const packageWith = (api: Internals['api'], fixtures: object): object => {
  const test = api.test.extend(fixtures);
  return Object.assign(test, { ...api, ...test, test, default: test });
};

/** Returns the prototype that all browser types share. */
const prototypeOf = (type: BrowserType): Record<string, unknown> =>
  Object.getPrototypeOf(type) as Record<string, unknown>;

const refuse = (type: BrowserType, names: readonly string[], sentence: string): void => {
  for (const name of names) prototypeOf(type)[name] = () => Promise.reject(new Error(sentence));
};

/** Makes every launch by a script use the installed browser, and adds the options that the sandbox needs. */
const joinOptions = (type: BrowserType, options: LaunchOptions, warn: (sentence: string) => void): void => {
  const place = (name: string, at: number): void => {
    const original = prototypeOf(type)[name];
    if (typeof original !== 'function') return;
    prototypeOf(type)[name] = function (this: BrowserType, ...given: unknown[]) {
      if (this.name() !== 'chromium')
        warn(`The browser is Chromium, not ${this.name()}: no other browser is installed.`);
      const { channel, ...asked } = (given[at] ?? {}) as { channel?: unknown; args?: readonly string[] };
      if (channel !== undefined) warn('The browser is Chromium, whatever channel is asked for.');
      given[at] = { ...asked, ...options, args: [...options.args, ...(asked.args ?? [])], channel: undefined };
      return Reflect.apply(original, type, given) as unknown;
    };
  };
  place('launch', 0);
  place('launchServer', 0);
  place('launchPersistentContext', 1);
};

module.exports = { withoutBrowser, withBrowser } satisfies FixturesModule;
