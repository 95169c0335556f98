/** Formats errors for the protocol: without colours, and with their location in the script. */
import type { ScriptError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { stripVTControlCharacters } = require('node:util') as typeof import('node:util');

type InternalError = import('./internals.cts').InternalError;

/** The exports of `errors.cjs`. */
export interface ErrorsModule {
  /**
   * @param file path of the script
   * @param reason returns the reason why connecting to a target failed
   */
  createErrors: (file: string, reason: Reason) => SayError;
  /** Converts any thrown value. */
  thrown: (error: unknown) => InternalError;
  plain: (text: string) => string;
  /**
   * Returns the reason why connecting to a URL's host failed; undefined if it did not fail, or if the text is no URL.
   */
  reasonAt: (address: string, reason: Reason) => string | undefined;
}

export type SayError = (error: InternalError) => ScriptError;

type Reason = import('./socks.cts').Socks['reason'];

/** Maximum length of an error, in characters. The outer process stores no more (../reading/read-message.ts). */
const LONGEST = 16_384;
/** Maximum number of nested causes that are reported. */
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

/** Error texts of the browser and Playwright for connections that the proxy could not open, or refused. */
const NOT_CONNECTED =
  /net::ERR_(?:(?:SOCKS|TUNNEL|PROXY)_CONNECTION\w*|CONNECTION_REFUSED)(?: at (\S+))?|Socks5 proxy rejected connection - \w+/;
/** Matches the URL in Playwright's log of a request. */
const ASKED = /→ [A-Z]+ (\S+)/;

/** Replaces an error text of the browser by the reason, which only the proxy knows. */
const withReason = (message: string, reason: Reason): string => {
  const said = NOT_CONNECTED.exec(message);
  const address = said && (said[1] ?? ASKED.exec(message)?.[1]);
  if (!address) return message;
  const why = reasonAt(address, reason);
  return why === undefined ? message : message.replace(said[0], `${why} (${address})`);
};

const reasonAt: ErrorsModule['reasonAt'] = (address, reason) => {
  if (!URL.canParse(address)) return undefined;
  const { hostname, port, protocol } = new URL(address);
  return reason(hostname.replace(/^\[|\]$/g, ''), Number(port || (protocol === 'https:' ? 443 : 80)));
};

module.exports = { createErrors, thrown, plain, reasonAt } satisfies ErrorsModule;
