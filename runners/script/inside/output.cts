/** What a script prints becomes log messages with levels. */
import type { Said } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { format } = require('node:util') as typeof import('node:util');

/** What `require('./output.cjs')` gives. */
export interface OutputModule {
  /** From now on `console` and what is written to stdout and stderr is said. */
  captureOutput: (say: (said: Said) => void) => Output;
}

export interface Output {
  log: (level: string, message: string) => void;
  /** Text that was written to stdout or stderr by other ways than `console`. */
  written: (level: string, text: string) => void;
}

const LEVELS = { log: 'log', info: 'info', warn: 'warn', error: 'error', debug: 'debug', trace: 'debug' } as const;

/** A message is not longer than this, characters: the rest is said to be missing. */
const LONGEST = 65_536;

const captureOutput = (say: (said: Said) => void): Output => {
  const log = (level: string, message: string): void => {
    const shown =
      message.length > LONGEST ? `${message.slice(0, LONGEST)}… (${message.length.toString()} characters)` : message;
    say({ type: 'log', level, message: shown, timestamp: new Date().toISOString() });
  };
  for (const [method, level] of Object.entries(LEVELS)) {
    console[method as keyof typeof LEVELS] = (...words: unknown[]) => {
      log(level, format(...words));
    };
  }
  console.table = (...words: unknown[]) => {
    log('log', format(words[0]));
  };
  console.dir = (value: unknown) => {
    log('log', format(value));
  };
  console.assert = (holds?: boolean, ...words: unknown[]) => {
    if (!holds) log('error', words.length === 0 ? 'Assertion failed' : `Assertion failed: ${format(...words)}`);
  };
  return {
    log,
    written: (level, text) => {
      for (const line of text.replace(/\n$/, '').split('\n')) log(level, line);
    },
  };
};

module.exports = { captureOutput } satisfies OutputModule;
