import { compare, matchesPattern, numberOf, type Condition } from './conditions.ts';

const MAX_RANGES = 50;

const holds = (code: number, { operator, operand }: Condition): boolean => {
  const text = String(code);
  const equals = (option: string): boolean => option === text || numberOf(option) === code;
  if (operand.kind === 'any')
    return operator === '!=' ? !operand.texts.some(equals) : operator === '==' && operand.texts.some(equals);
  if (operand.kind === 'pattern')
    return operator === '!='
      ? !matchesPattern(text, operand.text)
      : operator === '==' && matchesPattern(text, operand.text);
  return compare(code, operator, numberOf(operand.text) ?? 0);
};

/**
 * Returns the status codes for which all conditions hold, as a check lists them: `[200, "300-399"]`.
 *
 * @returns null if there are none, or too many ranges
 */
export const statusCodesOf = (conditions: readonly Condition[]): (number | string)[] | null => {
  const ranges: [number, number][] = [];
  for (let code = 100; code <= 599; code += 1) {
    if (!conditions.every((condition) => holds(code, condition))) continue;
    const last = ranges.at(-1);
    if (last?.[1] === code - 1) last[1] = code;
    else ranges.push([code, code]);
  }
  if (ranges.length === 0 || ranges.length > MAX_RANGES) return null;
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`));
};
