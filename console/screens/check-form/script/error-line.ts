/** `Test "a customer signs in" failed in step "sign in": …` */
const NAMED = /(?:step|Test) "((?:[^"\\]|\\.)+)"/g;

const quoted = (name: string): RegExp => new RegExp(`(['"\`])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`);

/**
 * Returns the line of a script that caused a failure, from 1: the line in the message (`(line 3, column 14)`), or else
 * that of the failed step, or else that of the test.
 *
 * @returns null: the message names none of these
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
