/**
 * The program in a sandbox: it gets ready, waits for one script, runs it, says what happens, and is ended from outside.
 * Everything it says is hostile input there, since the script runs in this very process.
 */
import type { Begin, Boot } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { startForwarder } = require('./forwarder.cjs') as import('./forwarder.cts').ForwarderModule;
const { openBrowser, browserOptions } = require('./browser.cjs') as import('./browser.cts').BrowserModule;
const { sendFiles } = require('./files.cjs') as import('./files.cts').FilesModule;
const { packageFor } = require('./fixtures.cjs') as import('./fixtures.cts').FixturesModule;
const { guardImports } = require('./imports.cjs') as import('./imports.cts').ImportsModule;
const { loadInternals, ffmpegRevisionIn } = require('./internals.cjs') as import('./internals.cts').InternalsModule;
const { captureOutput } = require('./output.cjs') as import('./output.cts').OutputModule;
const { watchPages } = require('./pages.cjs') as import('./pages.cts').PagesModule;
const { openStream } = require('./speaking.cjs') as import('./speaking.cts').SpeakingModule;
const { runTests, saidError } = require('./tests.cjs') as import('./tests.cts').TestsModule;

/** File descriptor of the stream to the process outside (../protocol.ts: CONTROL_FD). */
const CONTROL_FD = 3;

/** So much of a run's time, of at least and at most so many milliseconds, is left for telling how it ended. */
const TELLING = { share: 0.1, least: 300, most: 1_500 } as const;

const main = async (): Promise<void> => {
  const stream = openStream(CONTROL_FD);
  const boot = (await stream.next()) as Boot;
  const port = boot.proxySocket === '' ? null : (await startForwarder(boot.proxySocket)).port;
  prepareFolder(boot);
  // Before Playwright is loaded, which looks once where programs are.
  placeFfmpeg(boot);
  const internals = loadInternals(boot.modules);
  const browser = boot.kind === 'synthetic' ? await openBrowser(internals, boot, port) : null;
  const file = path.join(boot.folder, 'script.ts');
  await internals.warmUp(path.join(boot.folder, 'warm-up.ts'));
  let test = -1;
  const files = sendFiles(stream, () => test);
  if (browser) files.watchScreenshots(browser.clients);
  if (port !== null) (require('./network.cjs') as import('./network.cts').NetworkModule).routeThrough(port);
  stream.say({ type: 'ready', browser: browser?.title ?? null });

  const begin = (await stream.next()) as Begin;
  const began = Date.now();
  Object.assign(process.env, begin.environment);
  process.chdir(boot.folder);
  const output = captureOutput(stream.say);
  const pages = watchPages(stream.say, () => Math.max(test, 0));
  if (browser) internals.playwright._instrumentation.addListener({ runAfterCreateBrowserContext: pages.watch });
  guardImports(
    file,
    boot.modules,
    new Map([['@playwright/test', packageFor(internals.api, browser?.browser ?? null)]]),
  );
  writeFileSync(file, begin.script);
  const reserve = Math.min(TELLING.most, Math.max(TELLING.least, begin.timeout * TELLING.share));
  const onError = (error: unknown): void => {
    const told =
      error instanceof Error ? { message: error.message, stack: error.stack ?? '' } : { value: String(error) };
    if (test < 0) stream.say({ type: 'fatal', error: saidError(told, file), compiling: false });
  };
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  await runTests({
    internals,
    file,
    folder: boot.folder,
    use: browserOptions(begin, boot, port),
    deadline: began + begin.timeout - reserve,
    say: stream.say,
    onTest: (number) => {
      test = number;
    },
    written: output.written,
    attached: files.attached,
    onTestEnd: pages.flush,
  });
  await stream.said();
};

/** What the packages of a script are found by, where it imports them while it runs. */
const prepareFolder = ({ folder, modules }: Boot): void => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(modules, 'node_modules'), path.join(folder, 'node_modules'));
};

/** Playwright records videos by a program of its own, which it looks for in one place. */
const placeFfmpeg = ({ folder, modules, ffmpeg }: Boot): void => {
  const revision = ffmpeg === null ? null : ffmpegRevisionIn(modules);
  if (ffmpeg === null || revision === null) return;
  const browsers = path.join(folder, '.browsers');
  const place = path.join(browsers, `ffmpeg-${revision}`);
  mkdirSync(place, { recursive: true });
  symlinkSync(ffmpeg, path.join(place, 'ffmpeg-linux'));
  writeFileSync(path.join(place, 'INSTALLATION_COMPLETE'), '');
  process.env['PLAYWRIGHT_BROWSERS_PATH'] = browsers;
};

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
