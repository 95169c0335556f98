import type { JsonAssertion } from '../../../../domain/check/types/assertions.ts';
import type { Condition } from '../conditions.ts';
import { jsonAssertionOf } from '../json-assertion.ts';
import { noteCondition, type Endpoint } from './monitored.ts';

const MAX_ASSERTIONS = 20;

/** Converts conditions on the JSON of the body, such as `[BODY].status == UP`. */
export const jsonAssertions = (endpoint: Endpoint, conditions: readonly Condition[]): { json?: JsonAssertion[] } => {
  const json: JsonAssertion[] = [];
  for (const condition of conditions) {
    const { subject, path, call, source } = condition;
    if (subject !== 'BODY' || (path === '' && call === null)) continue;
    const found = path === '' && call === 'has' ? null : jsonAssertionOf(condition);
    if (!found) noteCondition(endpoint, condition, 'a multistep check can test it in a script.');
    else if (json.length === MAX_ASSERTIONS)
      noteCondition(
        endpoint,
        condition,
        `a check has at most ${MAX_ASSERTIONS} assertions on JSON; create a further check.`,
      );
    else {
      json.push(found.assertion);
      if (found.weaker)
        endpoint.note(`has the condition "${source}"; its check only requires the value to contain the text.`);
    }
  }
  return json.length > 0 ? { json } : {};
};
