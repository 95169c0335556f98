/** Errors as they are said: without colours, with their place in the script. */
import type { SaidError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { stripVTControlCharacters } = require('node:util') as typeof import('node:util');

type InternalError = import('./internals.cts').InternalError;

/** What `require('./errors.cjs')` gives. */
export interface ErrorsModule {
  /**
   * @param file the script
   * @param reason why there was no connection to a target
   */
  createErrors: (file: string, reason: Reason) => SayError;
  /** Whatever was thrown. */
  thrown: (error: unknown) => InternalError;
  plain: (text: string) => string;
}

export type SayError = (error: InternalError) => SaidError;

type Reason = import('./socks.cts').Socks['reason'];

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

const createErrors: ErrorsModule['createErrors'] = (file, reason) => (error) => {
  const stack = plain(error.stack ?? '');
  const at = stack.indexOf(`${file}:`);
  const [, line, column] = at < 0 ? [] : (/^(\d+)(?::(\d+))?/.exec(stack.slice(at + file.length + 1)) ?? []);
  return {
    message: withReason(plain(messageOf(error)).replaceAll(file, 'script').slice(0, LONGEST), reason),
    line: line === undefined ? null : Number(line),
    column: column === undefined ? null : Number(column),
  };
};

/** What the browser and Playwright say of a connection that the proxy could not open, or did not. */
const NOT_CONNECTED =
  /net::ERR_(?:SOCKS|TUNNEL|PROXY)_CONNECTION\w*(?: at (\S+))?|Socks5 proxy rejected connection - \w+/;
/** The log of a request names its URL. */
const ASKED = /→ [A-Z]+ (\S+)/;

/** The proxy knows why, and nothing else knows more than that there is none. */
const withReason = (message: string, reason: Reason): string => {
  const said = NOT_CONNECTED.exec(message);
  const address = said && (said[1] ?? ASKED.exec(message)?.[1]);
  if (!address || !URL.canParse(address)) return message;
  const { hostname, port, protocol } = new URL(address);
  const why = reason(hostname.replace(/^\[|\]$/g, ''), Number(port || (protocol === 'https:' ? 443 : 80)));
  return why === undefined ? message : message.replace(said[0], `${why} (${address})`);
};

module.exports = { createErrors, thrown, plain } satisfies ErrorsModule;
