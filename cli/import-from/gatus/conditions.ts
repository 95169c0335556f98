import { parseDuration } from '../mapping/duration.ts';

const OPERATORS = ['==', '!=', '<=', '>=', '>', '<'] as const;
export type Operator = (typeof OPERATORS)[number];

const SUBJECTS = [
  'STATUS',
  'IP',
  'DNS_RCODE',
  'RESPONSE_TIME',
  'BODY',
  'CONNECTED',
  'CERTIFICATE_EXPIRATION',
  'DOMAIN_EXPIRATION',
  'HEADER',
  'CONTEXT',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What a placeholder is compared with: a text, a pattern (`pat(…)`) or one of several texts (`any(…)`). */
export type Operand = { kind: 'text' | 'pattern'; text: string } | { kind: 'any'; texts: readonly string[] };

/** A condition of an endpoint: a placeholder, an operator and what it is compared with. */
export interface Condition {
  /** the condition as in the file */
  source: string;
  subject: Subject;
  /** the path in the body (`data[0].id`), or the name of the header; empty without one */
  path: string;
  call: 'len' | 'has' | 'age' | null;
  operator: Operator;
  operand: Operand;
}

const MIRRORED: Readonly<Record<Operator, Operator>> = {
  '==': '==',
  '!=': '!=',
  '<=': '>=',
  '>=': '<=',
  '>': '<',
  '<': '>',
};

interface Placeholder {
  subject: Subject;
  path: string;
  call: Condition['call'];
}

const placeholderIn = (text: string): Placeholder | null => {
  const [, call = null, inner = text] = /^(len|has|age)\((.*)\)$/s.exec(text) ?? [];
  const [, word = '', rest = ''] = /^\[([A-Za-z_]+)\](.*)$/s.exec(inner.trim()) ?? [];
  const subject = SUBJECTS.find((name) => name === word.toUpperCase());
  if (subject === undefined) return null;
  return { subject, path: rest.replace(/^\./, ''), call: call as Condition['call'] };
};

const operandIn = (text: string): Operand => {
  const [, call, inner = ''] = /^(pat|any)\((.*)\)$/s.exec(text) ?? [];
  if (call === 'pat') return { kind: 'pattern', text: inner };
  if (call === 'any') return { kind: 'any', texts: inner.split(',').map((option) => option.trim()) };
  return { kind: 'text', text };
};

/** Parses a condition such as `[STATUS] == 200`; null if it compares no placeholder with a value. */
export const parseCondition = (source: string): Condition | null => {
  const operator = OPERATORS.find((one) => source.includes(` ${one} `));
  if (operator === undefined) return null;
  const [left = '', right = ''] = source.split(` ${operator} `).map((part) => part.trim());
  const [first, second] = [placeholderIn(left), placeholderIn(right)];
  if (first && !second) return { source, ...first, operator, operand: operandIn(right) };
  if (second && !first) return { source, ...second, operator: MIRRORED[operator], operand: operandIn(left) };
  return null;
};

/** Returns the number that a text stands for in a comparison. Durations are milliseconds. Null: not a number. */
export const numberOf = (text: string): number | null => {
  const seconds = parseDuration(text);
  if (seconds !== null) return Math.trunc(seconds * 1_000);
  return /^[+-]?(\d+(\.\d+)?|0x[0-9a-f]+)$/i.test(text) ? Math.trunc(Number(text)) : null;
};

/** Compares two numbers. */
export const compare = (left: number, operator: Operator, right: number): boolean => {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
};

/** Whether a text matches a pattern, in which `*` stands for any text and `?` for one character. */
export const matchesPattern = (text: string, pattern: string): boolean => {
  let [at, next, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[next] === '*') [star, resume, next] = [next, at, next + 1];
    else if (next < pattern.length && (pattern[next] === '?' || pattern[next] === text[at]))
      [at, next] = [at + 1, next + 1];
    else if (star >= 0) [resume, at, next] = [resume + 1, resume + 1, star + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(next));
};

/** The fixed text of a pattern. `exact`: a text matches the pattern exactly if it contains `text`. */
export const containedText = (pattern: string): { text: string; exact: boolean } => {
  const pieces = pattern.split(/[*?]|\[[^\]]*\]/).filter((piece) => piece !== '');
  const text = pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '');
  return { text, exact: pieces.length <= 1 && pattern === `*${text}*`.replace(/^\*\*$/, '*') };
};

/** A limit that a condition sets: the value must be at least `min`, or at most `max`, in milliseconds. */
export const limitOf = ({ operator, operand }: Condition): { min: number } | { max: number } | null => {
  const limit = operand.kind === 'text' ? numberOf(operand.text) : null;
  if (limit === null) return null;
  if (operator === '<' || operator === '<=') return { max: limit };
  return operator === '>' || operator === '>=' ? { min: limit } : null;
};

/** Whether a condition says that something is true, such as `[CONNECTED] == true`; null if it says neither. */
export const truthOf = ({ operator, operand }: Condition): boolean | null => {
  if (operand.kind !== 'text' || !['true', 'false'].includes(operand.text)) return null;
  if (operator !== '==' && operator !== '!=') return null;
  return (operand.text === 'true') === (operator === '==');
};
