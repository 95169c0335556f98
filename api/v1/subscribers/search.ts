import { Type } from '@sinclair/typebox';
import { identifySubscriber } from '../../../commands/pages/sign-up.ts';
import { readAddress, type Address } from '../../../domain/subscriber/address.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import type { Listing, Paging } from '../../../queries/engine/listing.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import {
  listFoundSubscribers,
  matchesSubscriberFilters,
  findSubscribersByAddress,
} from '../../../queries/pages/subscriber-lists.ts';
import type { SubscriberFilters } from '../../../queries/pages/subscribers.ts';
import type { Call } from '../../route.ts';
import { text } from '../../schema.ts';
import { openAddress, presentAddress } from './present.ts';

/** Maximum length of a search text. */
const MAX_SEARCH = 300;

export const searchText = Type.Optional(
  text(MAX_SEARCH, {
    min: 1,
    description:
      'A complete address, or a part of a masked one as shown in this list. Admins can search for any part of an address.',
  }),
);

/** A search request, and its page. */
type SearchCall = Pick<Call<unknown, SubscriberFilters, unknown>, 'commands' | 'may' | 'query' | 'share' | 'signal'> & {
  scope: Scope;
  found: PageDocument;
};

/**
 * Finds subscribers by address. A complete address is found by its fingerprint. To find a part of an address, all
 * addresses are decrypted. The search covers only the text that the caller is allowed to see. Otherwise callers could
 * guess masked addresses letter by letter.
 *
 * @throws Invalid if the page has too many subscribers to search for a part of an address
 */
export const searchSubscribers = async (
  call: SearchCall,
  q: string,
  paging: Paging | null,
): Promise<Listing<SubscriberDocument>> => {
  const { query, scope, found: page, may, share, signal } = call;
  const whole = wholeAddress(q);
  if (whole) {
    const exact = await exactly(call, whole);
    if (exact.length > 0 || whole.mode !== 'webhook') return listFoundSubscribers(scope, exact, paging);
  }
  const { mode, status } = query;
  const sees = { whole: may('subscribers.export'), endpoints: may('secrets.reveal') };
  const wanted = q.trim().normalize('NFC').toLowerCase();
  const until = paging?.until;
  const key = ['subscribers', page.id, mode, status, wanted, sees, until];
  const ids = await share([subscribers.name], key, signal, (shared) =>
    findSubscribersByAddress(
      scope,
      page,
      { ...(mode && { mode }), ...(status && { status }) },
      {
        until,
        signal: shared,
        matches: async (document) =>
          (await searchedTexts(scope, document, sees)).some((one) => one.toLowerCase().includes(wanted)),
      },
    ),
  );
  return listFoundSubscribers(scope, ids, paging);
};

/** Returns the texts of an address that the caller is allowed to search in. */
const searchedTexts = async (
  scope: Scope,
  document: SubscriberDocument,
  sees: { whole: boolean; endpoints: boolean },
): Promise<string[]> => {
  const address = await openAddress(scope, document);
  if (sees.whole) return [address.text, ...(address.contact_email === null ? [] : [address.contact_email])];
  const { email, phone_number, endpoint } = presentAddress(address, sees.endpoints);
  return [email, phone_number, endpoint].filter((shown) => shown !== null);
};

/**
 * Returns a list with the id of the subscriber who has this address. The list is empty if no subscriber has the
 * address, or if the filters exclude the subscriber.
 */
const exactly = async ({ commands, scope, found: page, query }: SearchCall, address: Address): Promise<string[]> => {
  const { id } = await commands.bind(identifySubscriber)(page.id, address);
  const subscriber = await scope.read(subscribers).subscribers.get(id);
  return subscriber?.page_id === page.id && matchesSubscriberFilters(subscriber, query) ? [id] : [];
};

/** Matches a telephone number, such as `+7 912 345-67-89`. */
const NUMBER = /^\+[\d\s().-]{7,25}$/;

/** Parses a complete address. Returns null for other texts, such as masked addresses. */
const wholeAddress = (q: string): Address | null => {
  const text = q.trim();
  if (NUMBER.test(text)) {
    const number = `+${text.replace(/\D/g, '')}`;
    return { mode: 'sms', text: number, identity: number, contact_email: null, phone_country: null };
  }
  const read = text.includes('://')
    ? readAddress({ mode: 'webhook', endpoint: text })
    : readAddress({ mode: 'email', email: text });
  return 'address' in read ? read.address : null;
};
