import { Type } from '@sinclair/typebox';
import { identifySubscriber } from '../../../commands/pages/sign-up.ts';
import { readAddress, type Address } from '../../../domain/subscriber/address.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { SubscriberDocument } from '../../../projections/subscribers/documents.ts';
import { subscribers } from '../../../projections/subscribers/projection.ts';
import type { Listing, Paging } from '../../../queries/engine/listing.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { foundSubscribers, isAmong, searchedSubscribers } from '../../../queries/pages/subscriber-lists.ts';
import type { SubscriberFilters } from '../../../queries/pages/subscribers.ts';
import type { Call } from '../../route.ts';
import { text } from '../../schema.ts';
import { openAddress, presentAddress } from './present.ts';

/** Longest address that a search names. */
const MAX_SEARCH = 300;

export const searchText = Type.Optional(
  text(MAX_SEARCH, {
    min: 1,
    description:
      'a whole address, or a part of one as it is shown in this list: masked; admins find any part of an address',
  }),
);

/** A request that searches, and its page. */
type Searching = Pick<Call<unknown, SubscriberFilters, unknown>, 'commands' | 'may' | 'query' | 'share' | 'signal'> & {
  scope: Scope;
  found: PageDocument;
};

/**
 * Subscribers by their address. A whole address is found by its fingerprint, however many there are; for a part of one
 * all addresses are opened. Nobody finds parts that they are not shown: a search would tell them, letter by letter.
 *
 * @throws Invalid a part is searched for among too many
 */
export const searchSubscribers = async (
  call: Searching,
  q: string,
  paging: Paging | null,
): Promise<Listing<SubscriberDocument>> => {
  const { query, scope, found: page, may, share, signal } = call;
  const whole = wholeAddress(q);
  if (whole) {
    const exact = await exactly(call, whole);
    if (exact.length > 0 || whole.mode !== 'webhook') return foundSubscribers(scope, exact, paging);
  }
  const { mode, status } = query;
  const sees = { whole: may('subscribers.export'), endpoints: may('secrets.reveal') };
  const wanted = q.trim().normalize('NFC').toLowerCase();
  const until = paging?.until;
  const key = ['subscribers', page.id, mode, status, wanted, sees, until];
  const ids = await share([subscribers.name], key, signal, (shared) =>
    searchedSubscribers(
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
  return foundSubscribers(scope, ids, paging);
};

/** What a caller can find of an address. */
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

/** The id of the subscriber with an address, where the list has it. */
const exactly = async ({ commands, scope, found: page, query }: Searching, address: Address): Promise<string[]> => {
  const { id } = await commands.ask(identifySubscriber)(page.id, address);
  const subscriber = await scope.read(subscribers).subscribers.get(id);
  return subscriber?.page_id === page.id && isAmong(subscriber, query) ? [id] : [];
};

/** `+7 912 345-67-89` */
const NUMBER = /^\+[\d\s().-]{7,25}$/;

/** The address that a text is; null: it is none, or a masked one. */
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
