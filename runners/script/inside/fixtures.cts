/** What a script gets of `@playwright/test`. */
type Browser = import('playwright-core').Browser;
type Internals = import('./internals.cts').Internals;

/** What `require('./fixtures.cjs')` gives. */
export interface FixturesModule {
  /** The package as a script without a browser sees it, or one with the browser that is open already. */
  packageFor: (api: Internals['api'], browser: Browser | null) => object;
}

const NO_BROWSER =
  'A check of type multistep has no browser: the fixtures page, context and browser need one of type synthetic.';

/** Playwright reads from the text of a function what it needs. */
const noBrowser = async ({}: object): Promise<never> => {
  throw new Error(NO_BROWSER);
};

const packageFor: FixturesModule['packageFor'] = (api, browser) => {
  const fixtures =
    browser === null
      ? { browser: [noBrowser, { scope: 'worker', box: true }], context: noBrowser, page: noBrowser }
      : {
          browser: [
            async ({}: object, use: (browser: Browser) => Promise<void>): Promise<void> => use(browser),
            { scope: 'worker', box: true },
          ],
        };
  const test = api.test.extend(fixtures);
  return Object.assign(test, { ...api, test, default: test });
};

module.exports = { packageFor } satisfies FixturesModule;
