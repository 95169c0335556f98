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
  /**
   * Whether the request has an API key with write access. Otherwise the client is anonymous, and must not learn whether
   * an address is subscribed.
   */
  trusted: boolean;
  /** whether the subscription needs no confirmation */
  skips: boolean;
  /** whether the limit per address over all pages allows a confirmation message */
  mayAsk: boolean;
  /** whether the key of the stored address still exists, so that the address can be decrypted */
  readable: boolean;
  /**
   * Whether the request is part of an import. The imported data might be outdated, so an import does not change a known
   * subscription, except that it can confirm a pending one.
   */
  imported?: boolean;
}

/** The decision about a sign-up. */
export type Admission =
  | { does: 'nothing' }
  /** Adds a subscription with a new key. If `asks` is true, a confirmation is requested. */
  | { does: 'add'; after: number; asks: boolean }
  /**
   * Keeps the existing subscription until the address confirms the filter `wanted`. If `asks` is true, a confirmation
   * is requested.
   */
  | { does: 'ask'; known: KnownSubscriber; wanted: Narrowing; asks: boolean; added_with_key: boolean };

/**
 * Returns the error (409) for an import of an address whose receiver has ended the subscription. An import does not
 * renew such a subscription.
 */
const ended = (): Conflict => new Conflict('The receiver has ended this subscription.');

/**
 * Returns the error (409) for an address that is already subscribed (docs/reference/subscribers.md#subscribing-again).
 */
const taken = (): Conflict => new Conflict('This address is already subscribed to the page.');

/**
 * Decides about a sign-up, depending on the existing subscription of the address. A request without an API key has no
 * effect until the receiver confirms the subscription.
 *
 * @throws Conflict the address is already subscribed, and the client is allowed to know that
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

/**
 * Decides about an import of a known address. The imported file might be older than the receiver's decisions, so the
 * import does not revert them.
 */
const importedAgain = ({ status }: KnownSubscriber, { skips, readable }: SignUp, anew: Admission): Admission => {
  if (status === 'unsubscribed') throw ended();
  return !readable || (status === 'pending' && skips) ? anew : { does: 'nothing' };
};

/**
 * Decides about a sign-up of a known webhook. The response contains the secret of the webhook, so an anonymous client
 * must not sign up a webhook that was added with an API key.
 */
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
      // An anonymous request does not replace a filter that was set with an API key.
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
