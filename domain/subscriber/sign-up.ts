import { isDeepStrictEqual } from 'node:util';
import { unreachable } from '../decider.ts';
import { Conflict } from '../errors.ts';
import { isExisting } from '../existence.ts';
import type { Instant } from '../time.ts';
import type { Narrowing, SubscriberMode } from './events.ts';
import { mayRequestConfirmation, type SignUpLimits } from './limits.ts';
import type { KnownSubscriber, Subscriber } from './state.ts';

/** A request to subscribe an address to a page. */
export interface SignUp {
  mode: SubscriberMode;
  narrowing: Narrowing;
  /** whether it was sent with a key with write access; otherwise by an anonymous client, to which nothing is revealed */
  trusted: boolean;
  /** whether it needs no confirmation */
  skips: boolean;
  /** whether a confirmation message may be sent, by the limit per address over all pages */
  mayAsk: boolean;
  /** whether the stored address can still be decrypted */
  readable: boolean;
  /** whether it is an import, which may be outdated: for known subscribers, it only confirms pending ones */
  imported?: boolean;
}

/** The decision about a sign-up. */
export type Admission =
  | { does: 'nothing' }
  /** adds a subscription with a new key; `asks`: and requests a confirmation */
  | { does: 'add'; after: number; asks: boolean }
  /** keeps the existing subscription until its address confirms the new one; `asks`: requests a confirmation */
  | { does: 'ask'; known: KnownSubscriber; wanted: Narrowing; asks: boolean; added_with_key: boolean };

/** 409: an import does not renew a subscription that its receiver has ended. */
const ended = (): Conflict => new Conflict('The receiver has ended this subscription.');

/** 409: the address is already subscribed (docs/reference/subscribers.md#subscribing-again). */
const taken = (): Conflict => new Conflict('This address is already subscribed to the page.');

/**
 * Decides about a sign-up, depending on the existing subscription of the address. Without a key, a request has no effect
 * until the address confirms it.
 *
 * @throws Conflict the address is already subscribed, and the caller may know that
 */
export const admit = (
  subscriber: Subscriber,
  signUp: SignUp,
  limits: Pick<SignUpLimits, 'confirmationsPerDay'>,
  now: Instant,
): Admission => {
  const asked = subscriber.status === 'absent' ? [] : subscriber.asked;
  const asks = signUp.mayAsk && mayRequestConfirmation(asked, limits, now);
  const anew: Admission = {
    does: 'add',
    after: subscriber.status === 'absent' ? 0 : subscriber.number,
    asks: asks && !signUp.skips,
  };
  if (signUp.imported === true && isExisting(subscriber)) return importedAgain(subscriber, signUp, anew);
  if (!isExisting(subscriber) || subscriber.status === 'unsubscribed' || !signUp.readable) return anew;
  return signUp.mode === 'webhook'
    ? webhookAgain(subscriber, signUp, anew, asks)
    : personAgain(subscriber, signUp, anew, asks);
};

/** An import of a known address. A file may be imported twice, and may be older than decisions of receivers. */
const importedAgain = ({ status }: KnownSubscriber, { skips, readable }: SignUp, anew: Admission): Admission => {
  if (status === 'unsubscribed') throw ended();
  return !readable || (status === 'pending' && skips) ? anew : { does: 'nothing' };
};

/** A known webhook. Since signing up returns its secret, an anonymous client can't take over one that was added with a key. */
const webhookAgain = (
  known: KnownSubscriber,
  { narrowing, trusted }: SignUp,
  anew: Admission,
  asks: boolean,
): Admission => {
  if (known.status === 'active' || (known.added_with_key && !trusted)) throw taken();
  if (!asks) throw new Conflict('Too many challenges were sent to this endpoint. Please try again tomorrow.');
  if (known.status === 'quarantined') return anew;
  return { does: 'ask', known, wanted: narrowing, asks, added_with_key: trusted };
};

const personAgain = (
  known: KnownSubscriber,
  { narrowing, trusted, skips }: SignUp,
  anew: Admission,
  asks: boolean,
): Admission => {
  const { status, added_with_key } = known;
  switch (status) {
    case 'active': {
      if (trusted) throw taken();
      const { component_ids, incident_id } = known;
      if (!asks || isDeepStrictEqual(narrowing, { component_ids, incident_id })) return { does: 'nothing' };
      return { does: 'ask', known, wanted: narrowing, asks, added_with_key };
    }
    case 'pending':
    case 'quarantined': {
      if (skips) return anew;
      if (!asks && !trusted) return { does: 'nothing' };
      // A filter that was set with a key remains until the address is confirmed.
      const wanted = trusted || !added_with_key ? narrowing : (known.wanted ?? known);
      const { component_ids, incident_id } = wanted;
      return {
        does: 'ask',
        known,
        wanted: { component_ids, incident_id },
        asks,
        added_with_key: added_with_key || trusted,
      };
    }
    case 'unsubscribed':
      return anew;
    default:
      return unreachable(status);
  }
};
