import { rm } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { Clock } from '../../../network/clock.ts';
import { BadFrame } from '../frames.ts';
import type { Begin } from '../protocol.ts';
import type { RunRecord, ScriptEnd } from '../record.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Proxy } from '../sandbox/start/sandboxed.ts';
import { createFiles } from './files.ts';
import { createRecording, type Recording } from './recording.ts';
import { Nonsense, readSaid } from './said.ts';

/** Frames of a run; the next one ends it. */
const MOST_FRAMES = 100_000;
/** Bytes of messages without those of files; the next one ends the run. */
const MOST_MESSAGE_BYTES = 32 * 1_048_576;
/** How long what was said last is read when a sandbox has ended, milliseconds. */
const FAREWELL_MS = 1_000;
/** How much of what is written beside the protocol is kept, characters. */
const KEPT = 4_000;

/** A line for the logs of a run, from outside of it. */
export interface Remark {
  level: string;
  message: string;
  timestamp: string;
}

export interface ReadRunOptions {
  /** where the files go that the run leaves; null: nowhere */
  folder: string | null;
  clock: Clock;
  /** ends the run */
  signal: AbortSignal;
  /** calls back with what is to be among its logs */
  remarks: (listen: (remark: Remark) => void) => void;
}

/**
 * Runs a script in a sandbox that is warm, and reads what it says until nothing of it is left. It is killed when its
 * time is over, and when it says what no run says.
 *
 * @throws the signal's reason, and that a file could not be written; no file is left then
 */
export const readRun = async <P extends Proxy>(
  sandbox: Sandbox<P>,
  begin: Begin,
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
      // What has said everything is not waited for.
      kill({ how: 'done' });
    });
    // A file could not be written: then the run is not worth going on.
    reading.catch(() => void sandbox.end());
    const ended = await sandbox.ended;
    executionTime ??= clock.monotonic() - began;
    await atMost(FAREWELL_MS, reading, clock);
    await files.end();
    signal.throwIfAborted();
    const told: ScriptEnd = cause.end ?? (ended.how === 'ended' ? { how: 'died', cause: 'it was ended' } : ended);
    if (told.how === 'died') for (const line of unframed()) recording.log(lineOf(line, clock));
    // Timers may be early by less than a millisecond.
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

/** @returns whether it has said that it is done; false: nothing more comes */
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
      if (count > MOST_FRAMES) throw new Nonsense('more than any run says');
      if (frame.kind === 'bytes') {
        await files.write(frame.bytes);
        continue;
      }
      bytes += frame.size;
      if (bytes > MOST_MESSAGE_BYTES) throw new Nonsense('more than any run says');
      const said = readSaid(frame.message);
      if (said.type === 'file') await files.announce(said);
      else if (said.type !== 'ready') recording.hear(said);
      if (said.type === 'done') return true;
    }
  } catch (error) {
    if (!(error instanceof Nonsense || error instanceof BadFrame)) throw error;
    kill({ how: 'nonsense', what: error.message });
  }
  return false;
};

/** The end of what is written to streams, in lines; all of it is read, so that nobody waits. */
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
