import { textsIn } from '../../mapping/fields.ts';
import type { Mapping } from '../../read-yaml.ts';
import { fixedTextOf } from '../regular-expression.ts';

const MAX_TEXT = 1_000;

/** Converts regular expressions on the body to a text that must be there, and one that must be absent. */
export const bodyTexts = (
  settings: Mapping,
  isHead: boolean,
  note: (rest: string) => void,
): { search_text?: string; search_text_absent?: string } => {
  const required = textsIn(settings, 'fail_if_body_not_matches_regexp');
  const forbidden = textsIn(settings, 'fail_if_body_matches_regexp');
  if (isHead) {
    if (required.length + forbidden.length > 0) note('judges the body of a response to HEAD, which has none.');
    return {};
  }
  const texts: { search_text?: string; search_text_absent?: string } = {};
  for (const expression of required) {
    const found = fixedTextOf(expression);
    if (!found || texts.search_text !== undefined || found.text.length > MAX_TEXT)
      note(`requires the body to match "${expression}"; a check only searches one text of up to 1,000 characters.`);
    else {
      texts.search_text = found.text;
      if (!found.exact) note(`requires the body to match "${expression}"; its checks only search "${found.text}".`);
    }
  }
  for (const expression of forbidden) {
    const found = fixedTextOf(expression);
    if (!found?.exact || texts.search_text_absent !== undefined || found.text.length > MAX_TEXT)
      note(`must not match "${expression}" in the body; a check only requires the absence of one text.`);
    else texts.search_text_absent = found.text;
  }
  return texts;
};
