/** Formats errors for the protocol: without colours, with their location in the script. */
import type { ScriptError } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { stripVTControlCharacters } = require('node:util') as typeof import('node:util');

type InternalError = import('./internals.cts').InternalError;

/** The exports of `errors.cjs`. */
export interface ErrorsModule {
  /**
   * @param file the script
   * @param reason returns why connecting to a target failed
   */
  createErrors: (file: string, reason: Reason) => SayError;
  /** Converts any thrown value. */
  thrown: (error: unknown) => InternalError;
  plain: (text: string) => string;
  /** Why connecting to a URL's host failed; undefined: it did not fail, or the text is not a URL. */
  reasonAt: (address: string, reason: Reason) => string | undefined;
}

export type SayError = (error: InternalError) => ScriptError;

type Reason = import('./socks.cts').Socks['reason'];

/** Maximum length of an error, characters; the outer process stores no more (probes/script/reading/read-message.ts). */
const LONGEST = 16_384;
/** Maximum depth of causes to report. */
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
/** The log of a request contains its URL. */
const ASKED = /→ [A-Z]+ (\S+)/;

/** Adds the reason, which only the proxy knows. */
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
