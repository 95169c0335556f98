/** The parsed message of a Playwright error. */
export type ReadError =
  /** a failed assertion */
  | {
      kind: 'expectation';
      /** the message that the script gave to `expect`; empty if none */
      about: string;
      /** `toHaveText`, `not toBeVisible` */
      matcher: string;
      /** `Locator`, `Expected`, `Received string` and similar, with their values */
      rows: [label: string, value: string][];
      /** differing lines, expected ones with `-` and received ones with `+` */
      difference: string[];
      log: string[];
    }
  /** any other error */
  | { kind: 'thrown'; said: string; log: string[] };

const LOG = /\n*^call log:\n/im;
/**
 * Matches `expect(locator).not.toHaveText(expected) failed`, `expect(received).toBe(expected) // Object.is equality`
 */
const EXPECT = /^expect(?:\.\w+)?\(.*?\)((?:\.(?:not|resolves|rejects))*)\.(\w+)\(.*\)(?: failed| \/\/ .*)?$/;
/** Maximum length of a line to match. Longer lines are not written by Playwright, and would take long to match. */
const LONGEST_HEAD = 300;
const ROW = /^(Locator|Timeout|Error|Expected[\w ]*|Received[\w ]*):\s+(.*)$/;
const SUMMARY = /^[-+] (?:Expected|Received) +[-+] \d+$/;

/** Parses the message of an error. @param text the message, without colours and stack (error-text.ts) */
export const readError = (text: string): ReadError => {
  const [said = '', ...more] = text.split(LOG);
  const log = more
    .join('\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const lines = said.split('\n');
  const at = lines.findIndex((line) => line.length <= LONGEST_HEAD && EXPECT.test(line));
  const match = at < 0 ? null : EXPECT.exec(lines[at] ?? '');
  if (!match) return { kind: 'thrown', said: said.trim(), log };
  const [, negation = '', name = ''] = match;
  return {
    kind: 'expectation',
    about: lines.slice(0, at).join('\n').trim(),
    matcher: negation.includes('not') ? `not ${name}` : name,
    ...detailsIn(lines.slice(at + 1)),
    log,
  };
};

/**
 * Parses the lines below a failed assertion. These are rows of a label and a value, which may continue on the next
 * lines, or a diff, of which only the differing lines are returned.
 */
const detailsIn = (lines: readonly string[]): { rows: [string, string][]; difference: string[] } => {
  const rows: [string, string][] = [];
  const difference: string[] = [];
  let differing = false;
  for (const line of lines) {
    differing ||= SUMMARY.test(line);
    const row = ROW.exec(line);
    const last = rows.at(-1);
    if (row) {
      const [, label = '', value = ''] = row;
      rows.push([label, value]);
    } else if (differing) {
      if (/^[-+] /.test(line) && !SUMMARY.test(line)) difference.push(line);
    } else if (last && line.trim() !== '') last[1] += `\n${line}`;
  }
  return { rows, difference };
};
