/** A block of commands of a document, and the output that the document shows for it; '': none. */
export interface GuideBlock {
  commands: string;
  output: string;
}

/** A block of `sh`, the comment before it that keeps it from being run, and a block of its output right after it. */
const BLOCK = /(<!-- not run[^>]*-->\n\n)?^```sh\n(.*?)^```$(?:\n\n```(?:text|json)\n(.*?)^```$)?/gms;

/** The blocks of commands of a document, without those below a comment `<!-- not run: why -->`. */
export const blocksOf = (text: string): GuideBlock[] =>
  [...text.matchAll(BLOCK)]
    .filter(([, notRun]) => notRun === undefined)
    .map(([, , commands = '', output = '']) => ({ commands, output }));

/** Fields of JSON whose value differs from run to run. */
const MEASURED =
  'uptime_percentage|uptime_24h|response_time|average|p95|p99|count|total_checks|successful_checks|failed_checks|avg_response_time|duration';

/**
 * What differs from run to run in the output of commands, and the pattern that stands for it: `…` for any text, ids,
 * times, what is measured, and the space between the columns of a table.
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

/** What output has to match that a document shows as `output`. */
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

/** Output without the spaces that tables end with, and without empty lines around it. */
export const tidied = (output: string): string =>
  output
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
