/**
 * Matches the names of steps and tests in an error message: `Test "a customer signs in" failed in step "sign in": …`
 */
const NAMED = /(?:step|Test) "((?:[^"\\]|\\.)+)"/g;

const quoted = (name: string): RegExp => new RegExp(`(['"\`])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`);

/**
 * Returns the number of the script line that caused a failure, from 1: the line in the error message (`(line 3, column
 * 14)`). If the message names no line, returns the line of the failed step, or else the line of the failed test.
 *
 * @returns null if the message names no line, step or test of the script
 */
export const errorLine = (script: string, sentence: string | null): number | null => {
  if (sentence === null) return null;
  const lines = script.split('\n');
  const [, number] = /\(line (\d+)(?:, column \d+)?\)/.exec(sentence) ?? [];
  if (number !== undefined && Number(number) <= lines.length) return Number(number);
  const names = [...sentence.matchAll(NAMED)].map(([, name = '']) => name).reverse();
  for (const name of names) {
    const at = lines.findIndex((line) => quoted(name).test(line));
    if (at >= 0) return at + 1;
  }
  return null;
};
