/** Errors as they are said: without colours, with their place in the script. */
import type { SaidError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { stripVTControlCharacters } = require('node:util') as typeof import('node:util');

type InternalError = import('./internals.cts').InternalError;

/** What `require('./errors.cjs')` gives. */
export interface ErrorsModule {
  /** @param file the script */
  saidError: (error: InternalError, file: string) => SaidError;
  /** Whatever was thrown. */
  thrown: (error: unknown) => InternalError;
  plain: (text: string) => string;
}

/** Characters of an error: outside keeps no more (../reading/said.ts). */
const LONGEST = 16_384;
/** Causes of causes that are told. */
const DEEPEST = 3;

const plain: ErrorsModule['plain'] = (text) => stripVTControlCharacters(text);

const thrown: ErrorsModule['thrown'] = (error) => {
  if (!(error instanceof Error)) return { value: String(error) };
  const cause = error.cause === undefined ? {} : { cause: thrown(error.cause) };
  return { message: `${error.name}: ${error.message}`, stack: error.stack ?? '', ...cause };
};

const messageOf = ({ message, value, cause }: InternalError, depth = 0): string => {
  const own = message ?? value ?? 'Something went wrong.';
  return cause === undefined || depth >= DEEPEST ? own : `${own}\n[cause]: ${messageOf(cause, depth + 1)}`;
};

const saidError: ErrorsModule['saidError'] = (error, file) => {
  const stack = plain(error.stack ?? '');
  const at = stack.indexOf(`${file}:`);
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length + 1)) ?? []);
  return {
    message: plain(messageOf(error)).replaceAll(file, 'script').slice(0, LONGEST),
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
  };
};

module.exports = { saidError, thrown, plain } satisfies ErrorsModule;
