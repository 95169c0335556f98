import { containedText, type Condition } from '../conditions.ts';
import { noteCondition, type Endpoint } from './monitored.ts';

const MAX_TEXT = 1_000;

export interface BodyText {
  search_text?: string;
  search_text_absent?: string;
}

/** Converts conditions on the whole body, such as `[BODY] == pat(*ready*)`, to a searched text. */
export const bodyText = (endpoint: Endpoint, conditions: readonly Condition[]): BodyText => {
  const result: BodyText = {};
  for (const condition of conditions) {
    if (condition.subject !== 'BODY' || condition.path !== '' || condition.call !== null) continue;
    const searched = searchOf(condition);
    if (!searched) {
      noteCondition(endpoint, condition, 'a check can only search a text in the body, or require its absence.');
      continue;
    }
    const { key, text, weaker } = searched;
    if (text === '') continue;
    if (text.length > MAX_TEXT)
      noteCondition(endpoint, condition, `a searched text has at most ${MAX_TEXT} characters.`);
    else if (result[key] !== undefined && result[key] !== text)
      noteCondition(endpoint, condition, 'a check searches one text; create a further check of the same address.');
    else {
      result[key] = text;
      if (weaker)
        endpoint.note(
          `has the condition "${condition.source}"; its check only requires the body to contain "${text}".`,
        );
    }
  }
  return result;
};

const searchOf = ({ operator, operand }: Condition): { key: keyof BodyText; text: string; weaker: boolean } | null => {
  if (operand.kind === 'any') return null;
  if (operator === '==') {
    if (operand.kind === 'text') return { key: 'search_text', text: operand.text, weaker: true };
    const { text, exact } = containedText(operand.text);
    return { key: 'search_text', text, weaker: !exact };
  }
  if (operator !== '!=' || operand.kind !== 'pattern') return null;
  const { text, exact } = containedText(operand.text);
  return exact && text !== '' ? { key: 'search_text_absent', text, weaker: false } : null;
};
