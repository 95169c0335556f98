/** Converts the output of a script to log messages with levels. */
import type { SandboxMessage } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { format } = require('node:util') as typeof import('node:util');

/** The exports of `output.cjs`. */
export interface OutputModule {
  /** Starts to report everything that is printed by `console` or written to stdout and stderr. */
  captureOutput: (say: (said: SandboxMessage) => void) => Output;
}

export interface Output {
  log: (level: string, message: string) => void;
  /** Reports text that was written to stdout or stderr without `console`. */
  written: (level: string, text: string) => void;
}

const LEVELS = { log: 'log', info: 'info', warn: 'warn', error: 'error', debug: 'debug', trace: 'debug' } as const;

/** Maximum length of a message, in characters. A longer message is cut, and ends with its original length. */
const LONGEST = 65_536;
/**
 * Maximum length of all messages together, in characters. The outer process has a lower limit
 * (../reading/recording.ts), so it notices if messages are missing.
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
  // While tests run, Playwright replaces these functions too, and passes the output on as events.
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
