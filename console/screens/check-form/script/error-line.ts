/** `Test "a customer signs in" failed in step "sign in": …` */
const NAMED = /(?:step|Test) "((?:[^"\\]|\\.)+)"/g;

const quoted = (name: string): RegExp => new RegExp(`(['"\`])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\1`);

/**
 * The line of a script that a failure is about, from 1: the one that its sentence names (`(line 3, column 14)`), else
 * that of the step which failed, else that of the test.
 *
 * @returns null: it names none that is in the script
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
