import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';

type Page = readonly SubscriberDocument[];
type Present = (document: SubscriberDocument) => Promise<unknown>;

/**
 * A list as a JSON array: as text where it has one page, else as a stream, so that memory holds one page of it.
 *
 * @param pages every page but the last is full; there is one at least
 * @param full how many are on a full page
 */
export const jsonArray = async (
  pages: AsyncIterator<Page>,
  full: number,
  present: Present,
): Promise<string | (() => AsyncIterable<string>)> => {
  const items = async (page: Page): Promise<string> =>
    (await Promise.all(page.map(async (document) => JSON.stringify(await present(document))))).join(',');
  const read = async (): Promise<Page> => {
    const next = await pages.next();
    return next.done === true ? [] : next.value;
  };
  // A read model that does not answer is an error, not the beginning of a list.
  const first = await read();
  const text = await items(first);
  if (first.length < full) return `[${text}]`;
  return async function* () {
    yield `[${text}`;
    for (let page = await read(); page.length > 0; page = await read()) yield `,${await items(page)}`;
    yield ']';
  };
};
