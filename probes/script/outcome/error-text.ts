import { MASK } from '../../../domain/check/mask.ts';
import { isNeverStored } from '../../engine/credential-headers.ts';
import { cut, type Shown } from './texts.ts';

/** A line of a stack. */
const STACK_LINE = /^\s+at .*(?:<anonymous>|\(native\)|:\d+:\d+)\)?$/;
/** What Node.js says of how it came to load a module. */
const REQUIRED_BY = /\n?Require stack:(?:\n- .*)*/g;
/** A file of the sandbox or of a package, with everything before its name. */
const FOLDERS =
  /(?<![\w.:/-])(?:file:\/\/)?\/(?:tmp|usr|opt|run|home|root|var|work|app|proc)\/(?:[\w.@+-]+\/)*(?=[\w.@+-]+\.[cm]?[jt]sx?\b)/g;
/** A header in Playwright's log of a request. */
const HEADER = /^(\s*(?:- )?([\w-]+): ).*$/;
const KIND = /^(?:Uncaught )?(?:Error|TimeoutError|AssertionError|ExpectError): /;

/** What an error of a script says, without its stack and folders that only exist in a sandbox; masked, then cut. */
export const shownError = (message: string, most: number, shown: Shown): string =>
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

/** Requests that failed are told with their headers. */
const withoutCredentials = (line: string): string => {
  const [, beginning = '', name = ''] = HEADER.exec(line) ?? [];
  return isNeverStored(name) ? `${beginning}${MASK}` : line;
};
