import { Type } from '@sinclair/typebox';
import { SUBSCRIBER_MODES } from '../../../domain/subscriber/events.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import type { Listing, Paging } from '../../../queries/engine/listing.ts';
import { optionalPages } from '../../optional-pagination.ts';
import { choice, commaList } from '../../schema.ts';
import { SUBSCRIBER_STATUSES } from './schema.ts';

type Page = readonly SubscriberDocument[];
type Present = (document: SubscriberDocument) => Promise<unknown>;

export const subscriberPages = optionalPages({ key: 'subscribers', size: 20 });

/** Filters of the list and the export. */
export const subscriberFilters = {
  mode: Type.Optional(commaList(choice(SUBSCRIBER_MODES))),
  status: Type.Optional(commaList(choice(SUBSCRIBER_STATUSES), { description: 'Default: all except `unsubscribed`.' })),
};

/**
 * Encodes a list as a JSON array. A list of one page is returned as text. A longer list is returned as a stream, so
 * that memory contains only one page at a time.
 *
 * @param pages at least one page; every page except the final one must be full
 * @param full number of items in a full page
 */
export const encodeSubscribers = async (
  pages: AsyncIterator<Page>,
  full: number,
  present: Present,
): Promise<string | (() => AsyncIterable<string>)> => {
  const items = (page: Page): Promise<string> => textOf(page, present);
  const read = async (): Promise<Page> => {
    const next = await pages.next();
    return next.done === true ? [] : next.value;
  };
  // Read the first page before the response starts, so that an unavailable read model yields an error response instead
  // of a truncated list.
  const first = await read();
  const text = await items(first);
  if (first.length < full) return `[${text}]`;
  return async function* () {
    yield `[${text}`;
    for (let page = await read(); page.length > 0; page = await read()) yield `,${await items(page)}`;
    yield ']';
  };
};

/** Encodes the items of a JSON array, without brackets. */
const textOf = async (page: Page, present: Present): Promise<string> =>
  (await Promise.all(page.map(async (document) => JSON.stringify(await present(document))))).join(',');

/** Encodes a listing as JSON: as a page, or as an array if the request has no paging parameters. */
export const encodeListing = async (
  { items, total }: Listing<SubscriberDocument>,
  paging: Paging | null,
  present: Present,
): Promise<string> => {
  const array = `[${await textOf(items, present)}]`;
  if (!paging) return array;
  const { beginning, end } = subscriberPages.around(paging, total);
  return `${beginning}${array}${end}`;
};
