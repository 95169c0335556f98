import { Type } from '@sinclair/typebox';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import type { Listing, Paging } from '../../../queries/engine/listing.ts';
import { optionalPages } from '../../optional-pages.ts';
import { choice, commaList } from '../../schema.ts';
import { STATUSES } from './schema.ts';

type Page = readonly SubscriberDocument[];
type Present = (document: SubscriberDocument) => Promise<unknown>;

export const pages = optionalPages({ key: 'subscribers', size: 20 });

/** Which subscribers are listed or exported. */
export const filters = {
  mode: Type.Optional(commaList(choice(SUBSCRIBER_MODES))),
  status: Type.Optional(commaList(choice(STATUSES), { description: 'default: all but those that have unsubscribed' })),
};

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
  const items = (page: Page): Promise<string> => textOf(page, present);
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

/** Items of a JSON array. */
const textOf = async (page: Page, present: Present): Promise<string> =>
  (await Promise.all(page.map(async (document) => JSON.stringify(await present(document))))).join(',');

/** What was found as JSON: as a page of the list, or as an array where no page was asked for. */
export const jsonListing = async (
  { items, total }: Listing<SubscriberDocument>,
  paging: Paging | null,
  present: Present,
): Promise<string> => {
  const array = `[${await textOf(items, present)}]`;
  if (!paging) return array;
  const { beginning, end } = pages.around(paging, total);
  return `${beginning}${array}${end}`;
};
