import type { Schemas } from '../../api/openapi.d.ts';
import type { ConsoleWords } from '../../../messages/console-words/words.ts';

/** Returns a text that says what a report is about: a tag, a status page, or checks. @param pages page names by id */
export const subjectText = (
  { tag, page_id, check_ids }: Pick<Schemas['Report'], 'tag' | 'page_id' | 'check_ids'>,
  pages: ReadonlyMap<string, string>,
  { reports: says }: Pick<ConsoleWords, 'reports'>,
): string => {
  const checks = tag !== null ? says.ofTag(tag) : check_ids.length > 0 ? says.ofChecks(check_ids.length) : null;
  const page = page_id === null ? null : says.ofPage(pages.get(page_id) ?? page_id);
  return [checks, page].filter((text) => text !== null).join(', ') || says.allChecks;
};
