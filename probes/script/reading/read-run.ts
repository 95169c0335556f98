import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../network/clock.ts';
import { BadFrame } from '../frames.ts';
import type { BeginMessage } from '../protocol.ts';
import type { RunRecord, ScriptEnd } from '../record.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Proxy } from '../sandbox/start/sandboxed.ts';
import { createFiles } from './files.ts';
import { createRecording, type Recording } from './recording.ts';
import { InvalidMessage, parseMessage } from './read-message.ts';

/** Maximum number of frames of a run. A further frame ends the run. */
const MOST_FRAMES = 100_000;
/** Maximum size of all messages of a run, without the contents of files, in bytes. A larger total ends the run. */
const MOST_MESSAGE_BYTES = 32 * 1_048_576;
/** How long the remaining messages are read after a sandbox has ended, in milliseconds. */
const FAREWELL_MS = 1_000;
/** Number of characters that are stored of the end of stdout and stderr. */
const KEPT = 4_000;

/** An entry in the logs of a run that does not come from the sandbox, but for example from the proxy. */
export interface Remark {
  level: string;
  message: string;
  timestamp: string;
}

export interface ReadRunOptions {
  /** folder for the files that the run creates; null if files are to be discarded */
  folder: string | null;
  clock: Clock;
  /** aborts the run */
  signal: AbortSignal;
  /** sets the receiver of remarks */
  remarks: (listen: (remark: Remark) => void) => void;
}

/**
 * Runs a script in a warm sandbox, and reads messages until the sandbox has ended. Kills the sandbox when the time is
 * up, or when it sends an invalid message.
 *
 * @throws the signal's reason, or an error of writing a file; the files of the run were removed then
 */
export const readRun = async <P extends Proxy>(
  sandbox: Sandbox<P>,
  begin: BeginMessage,
  { folder, clock, signal, remarks }: ReadRunOptions,
): Promise<RunRecord> => {
  const recording = createRecording(sandbox.kind, sandbox.browser);
  const files = createFiles(folder, recording);
  remarks(recording.log);
  const unframed = textOf([sandbox.stdout, sandbox.stderr]);
  const cause: { end: ScriptEnd | null } = { end: null };
  const kill = (how: ScriptEnd): void => {
    cause.end ??= how;
    void sandbox.end();
  };
  const onAbort = (): void => {
    void sandbox.end();
  };
  signal.addEventListener('abort', onAbort, { once: true });
  const cancelTimer = clock.after(begin.timeout, () => {
    kill({ how: 'timeout' });
  });
  const began = clock.monotonic();
  let executionTime: number | null = null;
  try {
    if (signal.aborted) onAbort();
    else sandbox.begin(begin);
    const reading = readAll(sandbox, recording, files, kill).then((done) => {
      if (!done) return;
      executionTime ??= clock.monotonic() - began;
      // The script has reported its end, so its processes can be killed.
      kill({ how: 'done' });
    });
    // If a file can't be written, the run is aborted.
    reading.catch(() => void sandbox.end());
    const ended = await sandbox.ended;
    executionTime ??= clock.monotonic() - began;
    await atMost(FAREWELL_MS, reading, clock);
    await files.end();
    signal.throwIfAborted();
    const told: ScriptEnd = cause.end ?? (ended.how === 'ended' ? { how: 'died', cause: 'it was ended' } : ended);
    if (told.how === 'died') for (const line of unframed()) recording.log(lineOf(line, clock));
    // Timers may fire up to a millisecond early, so the measured time of a run that timed out may be too short.
    const took = told.how === 'timeout' ? begin.timeout : Math.min(executionTime, begin.timeout);
    return recording.record(told, took);
  } catch (error) {
    await files.end();
    await Promise.all(recording.files().map(({ path }) => rm(path, { force: true })));
    throw error;
  } finally {
    cancelTimer();
    signal.removeEventListener('abort', onAbort);
    await sandbox.end();
  }
};

const atMost = async (milliseconds: number, doing: Promise<void>, clock: Clock): Promise<void> => {
  let cancel = (): void => undefined;
  const over = new Promise<void>((resolve) => {
    cancel = clock.after(milliseconds, resolve);
  });
  await Promise.race([doing, over]).finally(cancel);
};

/**
 * Reads all messages.
 *
 * @returns true if the script has reported its end; false if the stream ended before such a report
 */
const readAll = async <P extends Proxy>(
  { frames }: Sandbox<P>,
  recording: Recording,
  files: ReturnType<typeof createFiles>,
  kill: (how: ScriptEnd) => void,
): Promise<boolean> => {
  let count = 0;
  let bytes = 0;
  try {
    for await (const frame of frames) {
      count += 1;
      if (count > MOST_FRAMES) throw new InvalidMessage('more than a run may send');
      if (frame.kind === 'bytes') {
        await files.write(frame.bytes);
        continue;
      }
      bytes += frame.size;
      if (bytes > MOST_MESSAGE_BYTES) throw new InvalidMessage('more than a run may send');
      const said = parseMessage(frame.message);
      if (said.type === 'file') await files.announce(said);
      else if (said.type !== 'ready') recording.hear(said);
      if (said.type === 'done') return true;
    }
  } catch (error) {
    if (!(error instanceof InvalidMessage || error instanceof BadFrame)) throw error;
    kill({ how: 'nonsense', what: error.message });
  }
  return false;
};

/**
 * Reads streams to the end, so that no writer blocks. Returns a function that returns the final lines received so far.
 */
const textOf = (streams: readonly Readable[]): (() => string[]) => {
  let text = '';
  for (const stream of streams)
    stream.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-KEPT);
    });
  return () => text.split('\n').filter((line) => line.trim() !== '');
};

const lineOf = (message: string, clock: Pick<Clock, 'now'>): Remark => ({
  level: 'error',
  message,
  timestamp: new Date(clock.now()).toISOString(),
});
