import type { HeaderAssertion } from '../../../../domain/check/types/assertions.ts';
import { containedText, truthOf, type Condition } from '../conditions.ts';
import { noteCondition, type Endpoint } from './monitored.ts';

const MAX_HEADERS = 20;

/** Converts conditions on headers of the response, such as `[HEADER].Server == nginx`. */
export const headerAssertions = (
  endpoint: Endpoint,
  conditions: readonly Condition[],
): { headers?: Record<string, HeaderAssertion> } => {
  const headers = new Map<string, HeaderAssertion>();
  for (const condition of conditions) {
    if (condition.subject !== 'HEADER') continue;
    const name = condition.path.toLowerCase();
    const assertion = assertionOf(condition);
    if (assertion === undefined || name === '')
      noteCondition(endpoint, condition, 'a check can require a value of a header, a part of it, or its absence.');
    else if (headers.has(name) || headers.size === MAX_HEADERS)
      noteCondition(endpoint, condition, 'a check has one assertion for each of 20 headers; create a further check.');
    else headers.set(name, assertion);
  }
  return headers.size > 0 ? { headers: Object.fromEntries(headers) } : {};
};

const assertionOf = (condition: Condition): HeaderAssertion | undefined => {
  const { call, operator, operand } = condition;
  if (call === 'has') {
    const isThere = truthOf(condition);
    if (isThere === null) return undefined;
    return isThere ? { contains: '' } : null;
  }
  if (call !== null || operator !== '==' || operand.kind === 'any') return undefined;
  if (operand.kind === 'text') return operand.text;
  const { text, exact } = containedText(operand.text);
  return exact ? { contains: text } : undefined;
};
