import { MASKED_TEXT } from '../../../domain/masking.ts';
import { isNeverStored } from '../../engine/credential-headers.ts';
import { cut, type ShowText } from './texts.ts';

/** A line of a stack. */
const STACK_LINE = /^\s+at .*(?:<anonymous>|\(native\)|:\d+:\d+)\)?$/;
/** Node.js's list of the modules that required a module. */
const REQUIRED_BY = /\n?Require stack:(?:\n- .*)*/g;
/** The path of a file of the sandbox or of a package, up to its name. */
const FOLDERS =
  /(?<![\w.:/-])(?:file:\/\/)?\/(?:tmp|usr|opt|run|home|root|var|work|app|proc)\/(?:[\w.@+-]+\/)*(?=[\w.@+-]+\.[cm]?[jt]sx?\b)/g;
/** A header in Playwright's log of a request. */
const HEADER = /^(\s*(?:- )?([\w-]+): ).*$/;
const KIND = /^(?:Uncaught )?(?:Error|TimeoutError|AssertionError|ExpectError): /;

/**
 * The message of a script's error, without its stack and without folders that only exist in a sandbox; masked, then
 * shortened.
 */
export const shownError = (message: string, most: number, shown: ShowText): string =>
  cut(errorText(shown(message, Infinity)), most);

const errorText = (message: string): string =>
  message
    .split('\n')
    .filter((line) => !STACK_LINE.test(line))
    .map(withoutCredentials)
    .join('\n')
    .replaceAll(REQUIRED_BY, '')
    .replaceAll(FOLDERS, '')
    .replace(KIND, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/** Errors of failed requests contain their headers. */
const withoutCredentials = (line: string): string => {
  const [, beginning = '', name = ''] = HEADER.exec(line) ?? [];
  return isNeverStored(name) ? `${beginning}${MASKED_TEXT}` : line;
};
