/** Sends screenshots that a script takes with a `path`, and takes screenshots of failed tests. */
const path = require('node:path') as typeof import('node:path');

type Client = import('./internals.cts').Client;
type Context = import('playwright-core').BrowserContext;
type Page = import('playwright-core').Page;
type Playwright = import('./internals.cts').Playwright;
type Quiet = import('./internals.cts').Quiet;
type TestInfo = import('./internals.cts').TestInfo;

/** The exports of `screenshots.cjs`. */
export interface ScreenshotsModule {
  /** Sends every screenshot that has a `path` under this name. Moves paths outside the folder into the folder. */
  watchScreenshots: (clients: readonly Client[], folder: string, send: Send) => void;
  createFailurePictures: (playwright: Playwright, send: Send) => FailurePictures;
}

export interface FailurePictures {
  /** Called when a test begins. @param title of the test, used for the names of screenshots */
  begin: (info: TestInfo, title: string) => void;
  /** Takes a screenshot of a context that is about to be closed, in case the test fails. */
  beforeClose: (context: Context) => Promise<void>;
  /** Called when a test has ended. Sends the screenshots if the test has failed. */
  end: (info: TestInfo) => void;
}

type Send = (name: string, contentType: string, content: Buffer) => void;

const watchScreenshots: ScreenshotsModule['watchScreenshots'] = (clients, folder, send) => {
  const seen = new Set<object>();
  for (const client of clients) {
    const { prototype } = client.constructor;
    const original = prototype['screenshot'];
    if (typeof original !== 'function' || seen.has(prototype)) continue;
    seen.add(prototype);
    prototype['screenshot'] = async function (this: unknown, options?: { path?: unknown; type?: string }) {
      if (typeof options?.path !== 'string') return Reflect.apply(original, this, [options]) as unknown;
      const file = within(folder, options.path);
      const taken = (await Reflect.apply(original, this, [{ ...options, path: file }])) as Buffer;
      const type = options.type ?? (/\.jpe?g$/i.test(file) ? 'jpeg' : 'png');
      send(path.relative(folder, file), `image/${type}`, taken);
      return taken;
    };
  }
};

/** Moves a path outside the folder into the folder: `/etc/a.png` becomes `a.png` in the folder. */
const within = (folder: string, given: string): string => {
  const file = path.resolve(folder, given);
  return file.startsWith(folder + path.sep) ? file : path.join(folder, path.basename(file));
};

/** Maximum number of screenshots of one test. */
const MOST = 5;
/** Timeout of one screenshot, in milliseconds. */
const PATIENCE_MS = 2_000;

const createFailurePictures: ScreenshotsModule['createFailurePictures'] = (playwright, send) => {
  let current: TestInfo | null = null;
  let name = '';
  let sent = 0;
  let isOver = false;
  /** screenshots of contexts that were closed before the outcome of the test was known */
  let early: Buffer[] = [];
  const pictured = new WeakSet<Page>();

  const sendOne = (content: Buffer): void => {
    sent += 1;
    send(`${name}${sent > 1 ? ` (${sent.toString()})` : ''}.png`, 'image/png', content);
  };

  const take = async (page: Page): Promise<Buffer | null> => {
    if (pictured.has(page) || page.isClosed() || page.url() === 'about:blank') return null;
    pictured.add(page);
    try {
      return await (page as unknown as Quiet)._wrapApiCall(
        () => page.screenshot({ timeout: PATIENCE_MS, caret: 'initial' }),
        { internal: true },
      );
    } catch {
      return null;
    }
  };

  const takeAll = async (pages: readonly Page[]): Promise<Buffer[]> =>
    (await Promise.all(pages.slice(0, MOST - sent).map(take))).filter((taken) => taken !== null);

  return {
    begin: (info, title) => {
      current = info;
      name = title;
      sent = 0;
      isOver = false;
      early = [];
      info._onDidFinishTestFunctionCallbacks.add(async () => {
        isOver = true;
        if (info._isFailure()) (await takeAll(playwright._allPages())).forEach(sendOne);
      });
    },
    beforeClose: async (context) => {
      if (!current) return;
      if (current._isFailure()) (await takeAll(context.pages())).forEach(sendOne);
      else if (!isOver) early = [...early, ...(await takeAll(context.pages()))].slice(-MOST);
    },
    end: (info) => {
      if (info._isFailure() && sent === 0) early.forEach(sendOne);
      early = [];
      current = null;
    },
  };
};

module.exports = { watchScreenshots, createFailurePictures } satisfies ScreenshotsModule;
