/** Runs one script, from the message with the script to the final report. */
import type { BeginMessage, BootMessage, SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const path = require('node:path') as typeof import('node:path');
const { createErrors, thrown } = require('./errors.cjs') as import('./errors.cts').ErrorsModule;
const { sendFiles } = require('./files.cjs') as import('./files.cts').FilesModule;
const { guardImports } = require('./imports.cjs') as import('./imports.cts').ImportsModule;
const { loadScript, NotCompiled } = require('./loading.cjs') as import('./loading.cts').LoadingModule;
const { captureOutput } = require('./output.cjs') as import('./output.cts').OutputModule;
const { watchPages } = require('./pages.cjs') as import('./pages.cts').PagesModule;
const { createFailurePictures, watchScreenshots } =
  require('./screenshots.cjs') as import('./screenshots.cts').ScreenshotsModule;
const { runTests } = require('./tests.cjs') as import('./tests.cts').TestsModule;
const { recordVideos } = require('./videos.cjs') as import('./videos.cts').VideosModule;

type CurrentTest = import('./tests.cts').CurrentTest;
type Internals = import('./internals.cts').Internals;
type Socks = import('./socks.cts').Socks;
type MessageStream = import('./message-stream.cts').MessageStream;
type Suite = import('./internals.cts').Suite;
type Warm = import('./warm-up.cts').Warm;

/** The exports of `run.cjs`. */
export interface RunModule {
  runScript: (given: GivenRun) => Promise<void>;
}

export interface GivenRun {
  stream: Pick<MessageStream, 'say' | 'sayBytes'>;
  boot: BootMessage;
  begin: BeginMessage;
  internals: Internals;
  warm: Warm;
  reason: Socks['reason'];
}

/**
 * The time that is reserved after the tests for screenshots of failures and for hooks: a share of the run's timeout,
 * but at most `most` milliseconds. ../outcome/verdict.ts uses the same numbers to recognise a timeout.
 */
const RESERVE = { share: 0.1, most: 1_000 } as const;
/** When only this share of the reserve remains, the run reports what it knows, although something is still running. */
const LAST_WORDS = 0.4;

const runScript: RunModule['runScript'] = async ({ stream, boot, begin, internals, warm, reason }) => {
  const began = Date.now();
  const { browser } = warm;
  const reserve = Math.min(RESERVE.most, begin.timeout * RESERVE.share);
  const file = path.join(boot.folder, 'script.ts');
  const saidError = createErrors(file, reason);
  let current: CurrentTest | null = null;
  let loaded: Suite | null = null;
  let isOver = false;
  const say = (said: SandboxMessage): void => {
    if (isOver) return;
    if (said.type === 'done') isOver = true;
    stream.say(said);
  };
  const sayFatal = (error: unknown): void => {
    const compiling = error instanceof NotCompiled;
    const said = compiling
      ? { message: error.message, line: error.line, column: error.column }
      : saidError(thrown(error));
    say({ type: 'fatal', error: said, compiling });
  };
  const currentTest = (): number => current?.number ?? -1;

  Object.assign(process.env, begin.environment);
  process.chdir(boot.folder);
  const output = captureOutput(say);
  const warn = (sentence: string): void => {
    output.log('warn', sentence);
  };
  warm.hearWarnings(warn);
  const sayBytes = (bytes: Buffer): void => {
    if (!isOver) stream.sayBytes(bytes);
  };
  const files = sendFiles({ say, sayBytes }, currentTest);
  const pages = watchPages(say, () => Math.max(0, currentTest()));
  const pictures = createFailurePictures(internals.playwright, (...picture) => {
    files.send('screenshot', ...picture);
  });
  const listen = internals.playwright._instrumentation.addListener.bind(internals.playwright._instrumentation);
  const videos =
    browser && begin.recordVideo && boot.ffmpeg !== null
      ? recordVideos(boot.folder, currentTest, (test, content) => {
          files.send('video', 'video.webm', 'video/webm', content, test);
        })
      : null;
  if (browser) {
    watchScreenshots(browser.clients, boot.folder, (...picture) => {
      files.send('screenshot', ...picture);
    });
    listen({
      runAfterCreateBrowserContext: pages.watch,
      runBeforeCloseBrowserContext: async (context) => {
        await Promise.all([pictures.beforeClose(context), ...context.pages().map(pages.ask)]);
      },
    });
    if (videos) listen(videos.listener);
    else if (begin.recordVideo) warn('There is no video: ffmpeg is not installed on the runner.');
  }

  const onError = (error: unknown): void => {
    if (!current) sayFatal(error);
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  const lastWords = (): void => {
    if (current) {
      const { number, info } = current;
      const errors = info.errors.map((error) => saidError(error));
      const status = info.status === 'failed' ? 'failed' : 'timedOut';
      say({ type: 'testEnd', test: number, status, duration: Date.now() - began, errors, softErrors: [] });
    } else if (!loaded) {
      sayFatal(new Error('It was not loaded before the end of the run.'));
    }
    say({ type: 'done', tests: loaded?.allTests().length ?? 0 });
  };
  const timer = setTimeout(lastWords, began + begin.timeout - reserve * LAST_WORDS - Date.now());

  guardImports(file, boot.modules, new Map([['@playwright/test', warm.given]]));
  const deadline = began + begin.timeout - reserve;
  const use = {
    ...(begin.url !== null && { baseURL: begin.url }),
    ...(browser && { launchOptions: browser.options }),
  };
  const { project } = internals.createConfig(boot.folder, use, Math.max(1, deadline - Date.now()));
  try {
    loaded = await loadScript(internals, file, begin.script);
  } catch (error) {
    sayFatal(error);
    say({ type: 'done', tests: 0 });
    return;
  }
  await runTests({
    internals,
    file,
    saidError,
    project,
    suite: loaded,
    deadline,
    say,
    written: output.written,
    attached: (attachment, title) => {
      if (videos?.has(attachment) !== true) files.attached(attachment, title);
    },
    onTest: (test) => {
      current = test;
      if (test) pictures.begin(test.info, test.title);
    },
    onTestEnd: async (info) => {
      pictures.end(info);
      await Promise.all([pages.flush(), videos?.flush()]);
    },
    onEnd: async () => {
      await videos?.close();
    },
  });
  clearTimeout(timer);
};

module.exports = { runScript } satisfies RunModule;
