/**
 * A block of commands in a document, and the output that the document shows below the block; empty if there is no such
 * output.
 */
export interface GuideBlock {
  commands: string;
  output: string;
}

/**
 * Matches a `sh` block, a preceding comment that prevents its execution, and a block of output that follows directly.
 */
const BLOCK = /(<!-- not run[^>]*-->\n\n)?^```sh\n(.*?)^```$(?:\n\n```(?:text|json)\n(.*?)^```$)?/gms;

/** Returns the command blocks of a document, except those after a comment `<!-- not run: why -->`. */
export const blocksOf = (text: string): GuideBlock[] =>
  [...text.matchAll(BLOCK)]
    .filter(([, notRun]) => notRun === undefined)
    .map(([, , commands = '', output = '']) => ({ commands, output }));

/** Names of JSON fields with measured values. */
const MEASURED =
  'uptime_percentage|uptime_24h|response_time|average|p95|p99|count|total_checks|successful_checks|failed_checks|avg_response_time|duration';

/**
 * Parts of an output that may vary, each with a pattern for the actual text: `…` (any text), times, ids, durations,
 * spaces between table columns, and measured values.
 */
const VARIABLE: readonly (readonly [RegExp, string])[] = [
  [/…/, '[^]*?'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?/, '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?'],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{12}\b/, '[a-z0-9]{12}'],
  [/\b\d+ m?s\b/, '\\d+ m?s'],
  [/(?<=\S) {2,}(?=\S)/, ' {2,}'],
  [new RegExp(`(?<="(?:${MEASURED})": ?)[\\d.]+`), '[\\d.]+'],
];
const ANY_VARIABLE = new RegExp(VARIABLE.map(([{ source }]) => `(${source})`).join('|'), 'g');

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Returns the pattern that the actual output must match, given the `output` that the document shows. */
export const patternOf = (output: string): RegExp => {
  let pattern = '';
  let end = 0;
  for (const found of output.matchAll(ANY_VARIABLE)) {
    const groups: (string | undefined)[] = found.slice(1);
    const kind = groups.findIndex((group) => group !== undefined);
    pattern += literally(output.slice(end, found.index)) + (VARIABLE[kind]?.[1] ?? '');
    end = found.index + found[0].length;
  }
  return new RegExp(`^${pattern}${literally(output.slice(end))}$`);
};

/** Removes spaces at the ends of lines, and empty lines at the beginning and the end. */
export const tidied = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
