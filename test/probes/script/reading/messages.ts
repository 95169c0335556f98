import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { systemClock } from '../../../../network/clock.ts';
import { encode, encodeBytes, framesOf } from '../../../../probes/script/frames.ts';
import type { SandboxMessage, PageRecord } from '../../../../probes/script/protocol.ts';
import { readRun, type Remark } from '../../../../probes/script/reading/read-run.ts';
import type { RunRecord } from '../../../../probes/script/record.ts';
import type { Sandbox } from '../../../../probes/script/sandbox/sandbox.ts';
import type { SandboxEnd } from '../../../../probes/script/sandbox/start/running.ts';

/** What a simulated run sends: messages, bytes of files or invalid frames; or how the run ends on its own. */
export type SendMessage = SandboxMessage | Buffer | { raw: Buffer } | { ends: SandboxEnd } | { wrong: unknown };

export interface SimulatedRun {
  timeout?: number;
  signal?: AbortSignal;
  remarks?: readonly Remark[];
  /** folder for files; it remains after the run, so that the caller can inspect it */
  folder?: string | null;
}

/** Creates a folder for files of runs. */
export const folderForFiles = async (): Promise<{
  folder: string;
  left: () => Promise<string[]>;
  remove: () => Promise<void>;
}> => {
  const folder = await mkdtemp(join(tmpdir(), 'said-'));
  return { folder, left: () => readdir(folder), remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Reads the record of a run that sends these messages, and that is then silent until it is ended. */
export const recordOf = async (sayings: readonly SendMessage[], run: SimulatedRun = {}): Promise<RunRecord> => {
  const control = new PassThrough();
  const { promise: ended, resolve: finish } = deferred<SandboxEnd>();
  const sandbox: Sandbox<{ close: () => Promise<void> }> = {
    kind: 'synthetic',
    browser: 'Chromium 156.0',
    proxy: { close: () => Promise.resolve() },
    begin: () => undefined,
    frames: framesOf(control),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    ended,
    end: async () => {
      finish({ how: 'ended' });
      control.end();
    },
  };
  for (const saying of sayings) {
    if (Buffer.isBuffer(saying)) control.write(encodeBytes(saying));
    else if ('raw' in saying) control.write(saying.raw);
    else if ('wrong' in saying) control.write(encode(saying.wrong as object));
    else if ('ends' in saying) {
      control.end();
      finish(saying.ends);
    } else control.write(encode(saying));
  }
  return readRun(
    sandbox,
    { type: 'begin', script: '', environment: {}, timeout: run.timeout ?? 10_000, recordVideo: false, url: null },
    {
      folder: run.folder ?? null,
      clock: systemClock,
      signal: run.signal ?? new AbortController().signal,
      remarks: (listen) => {
        run.remarks?.forEach(listen);
      },
    },
  );
};

const deferred = <T>(): { promise: Promise<T>; resolve: (value: T) => void } => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};

export const log = (message: string, timestamp = '2026-11-25T10:00:00.000Z'): SandboxMessage => ({
  type: 'log',
  level: 'log',
  message,
  timestamp,
});

export const testBegin = (test: number, ...titles: string[]): SandboxMessage => ({
  type: 'testBegin',
  test,
  titles,
  line: 1,
});

export const testEnd = (test: number, status: 'passed' | 'failed' = 'passed'): SandboxMessage => ({
  type: 'testEnd',
  test,
  status,
  duration: 5,
  errors: [],
  softErrors: [],
});

export const stepBegin = (
  test: number,
  step: number,
  parent: number | null = null,
  category = 'test.step',
): SandboxMessage => ({
  type: 'stepBegin',
  test,
  step,
  parent,
  category,
  name: `step ${step}`,
  line: null,
});

export const stepEnd = (test: number, step: number, error?: string): SandboxMessage => ({
  type: 'stepEnd',
  test,
  step,
  duration: 1,
  error: error === undefined ? null : { message: error, line: null, column: null },
});

export const file = (
  size: number,
  fields: Partial<Extract<SandboxMessage, { type: 'file' }>> = {},
): SandboxMessage => ({
  type: 'file',
  test: 0,
  role: 'screenshot',
  name: 'a.png',
  contentType: 'image/png',
  size,
  ...fields,
});

export const page = (number: number, fields: Partial<PageRecord> = {}): SandboxMessage => ({
  type: 'page',
  page: number,
  test: 0,
  url: 'http://shop.test/',
  duration: 10,
  documentRequest: null,
  network: [],
  requests: 0,
  webVitals: { FCP: 1, LCP: null, TTFB: 3 },
  domContentLoaded: null,
  load: null,
  ...fields,
});

export const done: SandboxMessage = { type: 'done', tests: 1 };
