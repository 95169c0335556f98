import { isDeepStrictEqual } from 'node:util';
import { unreachable } from '../decider.ts';
import { Conflict } from '../errors.ts';
import { isThere } from '../lifecycle.ts';
import type { Instant } from '../time.ts';
import type { Narrowing, SubscriberMode } from './events.ts';
import { mayAsk, type SignUpLimits } from './limits.ts';
import type { Known, Subscriber } from './state.ts';

/** Somebody wants an address to be told what happens on a page. */
export interface SignUp {
  mode: SubscriberMode;
  narrowing: Narrowing;
  /** by somebody with a key who may write; else anybody may have sent it, and knows nothing of what is there */
  trusted: boolean;
  /** it counts without being confirmed */
  skips: boolean;
  /** whether the address may be asked, by what it was asked on all pages */
  mayAsk: boolean;
  /** whether the address that is stored can still be read */
  readable: boolean;
  /** it comes from a file, which may be outdated: of known subscribers it only confirms pending ones */
  imported?: boolean;
}

/** What is done about it. */
export type Admission =
  | { does: 'nothing' }
  /** a new subscription, under a new key; `asks`: and its address is asked for a confirmation */
  | { does: 'add'; after: number; asks: boolean }
  /** the subscription stays until its address confirms the new one; `asks`: it is asked to */
  | { does: 'ask'; known: Known; wanted: Narrowing; asks: boolean; added_with_key: boolean };

/** 409: an import does not renew what its receiver has ended. */
const ended = (): Conflict => new Conflict('The receiver has ended this subscription.');

/** 409: the address subscribed before (decisions.md: Subscribers). */
const taken = (): Conflict => new Conflict('This address is subscribed to the page already.');

/**
 * What happens when an address subscribes, by what is known of it. A stranger's request changes nothing that its
 * address does not confirm.
 *
 * @throws Conflict it is subscribed already, and the caller may know that
 */
export const admit = (
  subscriber: Subscriber,
  signUp: SignUp,
  limits: Pick<SignUpLimits, 'confirmationsPerDay'>,
  now: Instant,
): Admission => {
  const asked = subscriber.status === 'absent' ? [] : subscriber.asked;
  const asks = signUp.mayAsk && mayAsk(asked, limits, now);
  const anew: Admission = {
    does: 'add',
    after: subscriber.status === 'absent' ? 0 : subscriber.number,
    asks: asks && !signUp.skips,
  };
  if (signUp.imported === true && isThere(subscriber)) return importedAgain(subscriber, signUp, anew);
  if (!isThere(subscriber) || subscriber.status === 'unsubscribed' || !signUp.readable) return anew;
  return signUp.mode === 'webhook'
    ? webhookAgain(subscriber, signUp, anew, asks)
    : personAgain(subscriber, signUp, anew, asks);
};

/** A file may be sent twice, and may be older than what receivers have decided since. */
const importedAgain = ({ status }: Known, { skips, readable }: SignUp, anew: Admission): Admission => {
  if (status === 'unsubscribed') throw ended();
  return !readable || (status === 'pending' && skips) ? anew : { does: 'nothing' };
};

/** Whoever subscribes a webhook gets its secret, so it can't be taken over from somebody with a key. */
const webhookAgain = (known: Known, { narrowing, trusted }: SignUp, anew: Admission, asks: boolean): Admission => {
  if (known.status === 'active' || (known.added_with_key && !trusted)) throw taken();
  if (!asks) throw new Conflict('This endpoint was asked to prove itself too often. Please try again tomorrow.');
  if (known.status === 'quarantined') return anew;
  return { does: 'ask', known, wanted: narrowing, asks, added_with_key: trusted };
};

const personAgain = (
  known: Known,
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
      // What somebody with a key asked for stays until the address is confirmed.
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
