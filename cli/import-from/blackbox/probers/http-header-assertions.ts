import type { HeaderAssertion } from '../../../../domain/check/types/assertions.ts';
import { flagIn, mappingsIn, requiredTextIn } from '../../mapping/fields.ts';
import type { Mapping } from '../../read-yaml.ts';
import { fixedTextOf } from '../regular-expression.ts';

const MAX_HEADERS = 20;

/** Converts regular expressions on headers of the response to assertions. */
export const headerAssertions = (
  settings: Mapping,
  note: (rest: string) => void,
): { headers?: Record<string, HeaderAssertion> } => {
  const headers = new Map<string, HeaderAssertion>();
  const set = (name: string, assertion: HeaderAssertion): void => {
    if (headers.has(name) || headers.size === MAX_HEADERS)
      note(`judges the header ${name} again; a check has one assertion for each of ${MAX_HEADERS} headers.`);
    else headers.set(name, assertion);
  };
  for (const rule of mappingsIn(settings, 'fail_if_header_not_matches')) {
    const [name, expression] = [requiredTextIn(rule, 'header').toLowerCase(), requiredTextIn(rule, 'regexp')];
    const found = fixedTextOf(expression);
    if (!found || flagIn(rule, 'allow_missing') === true)
      note(`requires the header ${name} to match "${expression}"; a check can require a value or a part of it.`);
    else {
      set(name, found.whole ? found.text : { contains: found.text });
      if (!found.whole && !found.exact)
        note(
          `requires the header ${name} to match "${expression}"; its checks only require it to contain "${found.text}".`,
        );
    }
  }
  for (const rule of mappingsIn(settings, 'fail_if_header_matches')) {
    const [name, expression] = [requiredTextIn(rule, 'header').toLowerCase(), requiredTextIn(rule, 'regexp')];
    if (/^\^?\.[*+]\$?$/.test(expression)) set(name, null);
    else note(`fails if the header ${name} matches "${expression}"; a check can only require its absence.`);
  }
  return headers.size > 0 ? { headers: Object.fromEntries(headers) } : {};
};
