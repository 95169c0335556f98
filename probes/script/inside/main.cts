/**
 * The program in a sandbox. It warms up, waits for one script, runs the script and reports what happens, until the
 * outer process ends it. The script runs in this process, so the outer process treats all messages as hostile.
 */
import type { BeginMessage, BootMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { mkdirSync, symlinkSync, writeFileSync } = require('node:fs') as typeof import('node:fs');
const path = require('node:path') as typeof import('node:path');
const { setFlagsFromString } = require('node:v8') as typeof import('node:v8');
const { runInNewContext } = require('node:vm') as typeof import('node:vm');
const { authorities, trustAuthorities } =
  require('./certificates.cjs') as import('./certificates.cts').CertificatesModule;
const { startForwarder } = require('./forwarder.cjs') as import('./forwarder.cts').ForwarderModule;
const { routeThroughProxy } = require('./browser.cjs') as import('./browser.cts').BrowserModule;
const { loadInternals, ffmpegRevisionIn } = require('./internals.cjs') as import('./internals.cts').InternalsModule;
const { warmUp } = require('./warm-up.cjs') as import('./warm-up.cts').WarmUpModule;
const { explainRefusals } = require('./refusals.cjs') as import('./refusals.cts').RefusalsModule;
const { runScript } = require('./run.cjs') as import('./run.cts').RunModule;
const { startSocks } = require('./socks.cjs') as import('./socks.cts').SocksModule;
const { openStream } = require('./message-stream.cjs') as import('./message-stream.cts').MessageStreamModule;

/** File descriptor of the stream to the outer process (CONTROL_FD in ../protocol.ts). */
const CONTROL_FD = 3;

const main = async (): Promise<void> => {
  const stream = openStream(CONTROL_FD);
  const boot = (await stream.next()) as BootMessage;
  const port = boot.proxySocket === '' ? null : (await startForwarder(boot.proxySocket)).port;
  prepareFolder(boot);
  // This comes before Playwright is loaded, because Playwright reads the path of its programs only when it is loaded.
  placeFfmpeg(boot);
  trustAuthorities(authorities(boot.extraCertificates));
  const internals = loadInternals(boot.modules);
  const warm = await warmUp(internals, boot);
  const socks = port === null ? null : await startSocks(port);
  if (port !== null && socks) {
    internals.playwright._instrumentation.addListener(routeThroughProxy(socks.port));
    explainRefusals(internals.playwright, socks.reason);
    (require('./network.cjs') as import('./network.cts').NetworkModule).routeThrough(port);
  }
  sweep();
  stream.say({ type: 'ready', browser: warm.browser?.title ?? null });

  const begin = (await stream.next()) as BeginMessage;
  await runScript({ stream, boot, begin, internals, warm, reason: socks?.reason ?? (() => undefined) });
  await stream.said();
};

/** Collects the garbage of the warm-up, so that this does not happen while a script runs. */
const sweep = (): void => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
};

/** Creates the folder of the script, with a link to the packages that the script can import. */
const prepareFolder = ({ folder, modules }: BootMessage): void => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(modules, 'node_modules'), path.join(folder, 'node_modules'));
};

/** Links the installed ffmpeg to the path where Playwright, which records videos with it, expects its own ffmpeg. */
const placeFfmpeg = ({ folder, modules, ffmpeg }: BootMessage): void => {
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
