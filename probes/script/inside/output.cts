/** Turns a script's output into log messages with levels. */
import type { SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { format } = require('node:util') as typeof import('node:util');

/** The exports of `output.cjs`. */
export interface OutputModule {
  /** Reports everything printed by `console` or written to stdout and stderr from now on. */
  captureOutput: (say: (said: SandboxMessage) => void) => Output;
}

export interface Output {
  log: (level: string, message: string) => void;
  /** Reports text that was written to stdout or stderr without `console`. */
  written: (level: string, text: string) => void;
}

const LEVELS = { log: 'log', info: 'info', warn: 'warn', error: 'error', debug: 'debug', trace: 'debug' } as const;

/** Maximum length of a message, characters; a note says how much is missing. */
const LONGEST = 65_536;
/**
 * Maximum total, characters. The outer process stores less (../reading/recording.ts) and so notices that there was
 * more.
 */
const MOST = 1_200_000;

const captureOutput: OutputModule['captureOutput'] = (say) => {
  let spent = 0;
  const log = (level: string, message: string): void => {
    if (spent > MOST) return;
    const shown =
      message.length > LONGEST ? `${message.slice(0, LONGEST)}… (${message.length.toString()} characters)` : message;
    spent += shown.length + 64;
    say({ type: 'log', level, message: shown, timestamp: new Date().toISOString() });
  };
  const written = (level: string, text: string): void => {
    for (const line of text.replace(/\n$/, '').split('\n')) log(level, line);
  };
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...words: unknown[]) => {
      if (spent <= MOST) log(level, format(...words));
    };
  }
  // Playwright captures the streams while tests run, and passes their output on.
  for (const [stream, level] of [
    [process.stdout, 'log'],
    [process.stderr, 'error'],
  ] as const) {
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      written(level, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'));
      const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
      if (done) process.nextTick(done);
      return true;
    };
  }
  return { log, written };
};

module.exports = { captureOutput } satisfies OutputModule;
