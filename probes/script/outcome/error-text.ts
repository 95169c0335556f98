import { MASKED_TEXT } from '../../../domain/masking.ts';
import { isNeverStored } from '../../engine/credential-headers.ts';
import { cut, type ShowText } from './texts.ts';

/** Matches a line of a stack. */
const STACK_LINE = /^\s+at .*(?:<anonymous>|\(native\)|:\d+:\d+)\)?$/;
/** Matches the list, printed by Node.js, of the modules that required a missing module. */
const REQUIRED_BY = /\n?Require stack:(?:\n- .*)*/g;
/** Matches the folder in the path of a file of the sandbox or of a package. */
const FOLDERS =
  /(?<![\w.:/-])(?:file:\/\/)?\/(?:tmp|usr|opt|run|home|root|var|work|app|proc)\/(?:[\w.@+-]+\/)*(?=[\w.@+-]+\.[cm]?[jt]sx?\b)/g;
/** Matches a header in Playwright's log of a request. */
const HEADER = /^(\s*(?:- )?([\w-]+): ).*$/;
const KIND = /^(?:Uncaught )?(?:Error|TimeoutError|AssertionError|ExpectError): /;

/**
 * Returns the message of a script's error, without the stack and without folders that only exist in a sandbox. The
 * message is first masked, then shortened.
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

/** Masks credentials in the headers of failed requests, which are part of error messages. */
const withoutCredentials = (line: string): string => {
  const [, beginning = '', name = ''] = HEADER.exec(line) ?? [];
  return isNeverStored(name) ? `${beginning}${MASKED_TEXT}` : line;
};
