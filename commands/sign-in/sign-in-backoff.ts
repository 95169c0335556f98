import { TooMany } from '../../domain/errors.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/time.ts';
import type { Entry } from '../../stores/coordination/port.ts';
import type { CommandDependencies } from '../dependencies.ts';

/*
 * Delays after failed sign-ins and wrong passwords of pages (docs/reference/sign-in.md#delays). Counters are stored in
 * entries `sign_in`. An attempt is counted before the password is compared, so that concurrent attempts are counted. If
 * the attempt succeeds, the count is undone.
 *
 * Attempts are counted per client address and per account. The counter of an account is found by 18 bits of the
 * fingerprint of the e-mail address, even if the account does not exist. So the delays do not reveal which accounts
 * exist, and the number of counters is limited. A client address from which the user has signed in before has a counter
 * of its own, and is not delayed by the counters of the account and the address.
 */

/** The backoff after failed attempts. */
interface Delays {
  /** Number of failures that cause no delay. */
  free: number;
  /** The longest delay, in milliseconds. */
  longest: number;
}

const OF_ONE: Delays = { free: 10, longest: 15 * MINUTE_MS };
/**
 * The backoff after wrong passwords of a page, from all clients together. It also delays new visitors, so the longest
 * delay is short. One guess per minute is nevertheless too slow to find a password.
 */
const OF_PAGE: Delays = { free: 100, longest: MINUTE_MS };
/** A counter expires after this time without a failure, in milliseconds. */
const COUNTER_MS = HOUR_MS;
/** A counter that causes delays expires after this time without a failure, in milliseconds. */
const DELAYING_COUNTER_MS = DAY_MS;
/**
 * Time for which a client address is remembered after a sign-in, in milliseconds. {@link MAX_KNOWN} addresses per user
 * at most.
 */
const KNOWN_MS = 90 * DAY_MS;
const MAX_KNOWN = 50;
/** Time for which a client is remembered after it entered the password of a page. */
const VISITOR_MS = 30 * DAY_MS;
/** Period over which the failures of an account and a client address are aggregated, in milliseconds. */
export const AGGREGATION_MS = 15 * MINUTE_MS;
const TRIES = 20;

interface Count {
  failures: number;
  /** Attempts before this time are refused. In milliseconds since 1970. */
  until: number;
}

/**
 * The failures of an account and a client address within 15 minutes. This is the value of entries whose id begins with
 * {@link FAILURES_KEY}.
 */
export interface StoredFailures {
  organization_id: string;
  user_id: string;
  count: number;
  first_at: number;
  last_at: number;
  client_address: Sealed | null;
}

export const FAILURES_KEY = 'failed ';

type Limiting = Pick<CommandDependencies, 'entries' | 'keys'>;

/** A counted attempt. */
export interface CountedAttempt {
  /** Undoes the count. Called if the attempt did not fail, its outcome is unknown, or a second factor follows. */
  uncount: () => Promise<void>;
}

const NONE: Count = { failures: 0, until: 0 };

/** Returns the delay of the next attempt after a number of failures, in milliseconds. */
export const delayAfter = (failures: number, { free, longest }: Delays = OF_ONE): number =>
  failures <= free ? 0 : Math.min(longest, 1_000 * 2 ** Math.min(30, failures - free - 1));

const tooMany = (milliseconds: number): TooMany =>
  new TooMany(
    'Too many failed attempts. Please wait before the next one.',
    Math.max(1, Math.ceil(milliseconds / 1_000)),
  );

/**
 * Changes a counter, or removes it if the new value is null. Retries after conflicts.
 *
 * @throws TooMany after too many conflicts
 */
const changeCount = async (
  { entries }: Pick<Limiting, 'entries'>,
  id: string,
  owner: string | null,
  now: number,
  changed: (count: Count, entry: Entry | null) => (Pick<Entry, 'expires_at'> & { count: Count }) | null,
): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const entry = await entries.get('sign_in', id, now);
    const next = changed(entry ? (JSON.parse(entry.value) as Count) : NONE, entry);
    if (next === null) {
      if (!entry || (await entries.remove('sign_in', id, entry.version))) return;
      continue;
    }
    const { count, expires_at } = next;
    const put = { id, owner, value: JSON.stringify(count), expires_at };
    if ((await entries.put('sign_in', put, entry?.version ?? null, now)) !== null) return;
  }
  throw tooMany(1_000);
};

const expiryOf = (now: number, delaying: boolean, known: number | null): number =>
  Math.max(known ?? 0, now + (delaying ? DELAYING_COUNTER_MS : COUNTER_MS));

/** A counter of failed attempts. */
interface Counter {
  id: string;
  /** Id of the user that the counter belongs to. Default: none. */
  owner?: string | null;
  /** Whether the entry keeps its original expiry when the counter changes. Default: false. */
  lasting?: boolean;
  /** Backoff of this counter. Default: the backoff of one client or account. */
  delays?: Delays;
}

/** Counts one attempt in one counter. @throws TooMany if the delay is not over */
const countOne = async (
  limiting: Limiting,
  { id, owner = null, lasting = false, delays = OF_ONE }: Counter,
  now: number,
): Promise<void> => {
  await changeCount(limiting, id, owner, now, ({ failures, until }, entry) => {
    // Limit the delay, because after the clock was set back, `until` can be too far in the future.
    const wait = Math.min(until - now, delays.longest);
    if (wait > 0) throw tooMany(wait);
    const next = failures + 1;
    const delay = delayAfter(next, delays);
    return {
      count: { failures: next, until: delay === 0 ? 0 : now + delay },
      expires_at: expiryOf(now, next > delays.free, lasting && entry ? entry.expires_at : null),
    };
  });
};

const takeOneBack = async (
  limiting: Limiting,
  { id, owner = null, lasting = false, delays: { free } = OF_ONE }: Counter,
  now: number,
): Promise<void> => {
  await changeCount(limiting, id, owner, now, ({ failures }, entry) => {
    const left = Math.max(0, failures - 1);
    // Remove empty counters. Otherwise an attacker with many addresses could fill the store.
    if (left === 0 && !lasting) return null;
    return {
      count: { failures: left, until: 0 },
      expires_at: expiryOf(now, left > free, lasting && entry ? entry.expires_at : null),
    };
  });
};

/** Counts an attempt in all counters. If one counter refuses the attempt, no counter counts it. @throws TooMany */
const countWith = async (limiting: Limiting, counters: readonly Counter[], now: number): Promise<CountedAttempt> => {
  const counted: Counter[] = [];
  const takeBack = async (): Promise<void> => {
    for (const counter of counted) await takeOneBack(limiting, counter, now);
  };
  try {
    for (const counter of counters) {
      await countOne(limiting, counter, now);
      counted.push(counter);
    }
  } catch (error) {
    await takeBack();
    throw error;
  }
  return { uncount: takeBack };
};

/** A sign-in attempt. */
export interface SignInAttempt {
  /** fingerprint of the e-mail address */
  emailKey: string;
  /** the user with this address; null if there is none */
  userId: string | null;
  /** the client's IPv4 address, or the network of an IPv6 address */
  network: string;
}
const knownId = async (keys: Limiting['keys'], userId: string, network: string): Promise<string> =>
  `known ${userId} ${await keys.fingerprint('sign-in address', network)}`;

/**
 * Counts an attempt to sign in.
 *
 * @throws TooMany if the account or the address has to wait, whether or not the account exists
 */
export const countSignIn =
  (limiting: Limiting) =>
  async ({ emailKey, userId, network }: SignInAttempt, now: number): Promise<CountedAttempt> => {
    const { entries, keys } = limiting;
    const known = await knownId(keys, userId ?? 'nobody', network);
    if ((await entries.get('sign_in', known, now)) !== null) {
      return countWith(limiting, [{ id: known, owner: userId, lasting: true }], now);
    }
    const address = `address ${await keys.fingerprint('sign-in address', network)}`;
    const account = `account ${emailKey.slice(0, 3)}`;
    return countWith(limiting, [{ id: address }, { id: account }], now);
  };

/**
 * Remembers an address from which a user signed in, so that failed attempts from other addresses do not delay sign-ins
 * from this address.
 */
export const rememberAddress =
  ({ entries, keys }: Limiting) =>
  async (userId: string, network: string, now: number): Promise<void> => {
    const id = await knownId(keys, userId, network);
    const known = { id, owner: userId, value: JSON.stringify(NONE), expires_at: now + KNOWN_MS };
    await entries.putAll('sign_in', [known]);
    const all = (await entries.listOfOwner('sign_in', userId, now)).filter((entry) => entry.id.startsWith('known '));
    const oldest = all.sort((a, b) => a.expires_at - b.expires_at).slice(0, Math.max(0, all.length - MAX_KNOWN));
    for (const entry of oldest) await entries.remove('sign_in', entry.id);
  };

/** Counts an attempt of a signed-in user to confirm a change by a password or code. @throws TooMany */
export const countConfirmation =
  (limiting: Limiting) =>
  (userId: string, now: number): Promise<CountedAttempt> =>
    countWith(limiting, [{ id: `confirmation ${userId}` }], now);

/** An attempt to open a page with a password. */
export interface PageGuess {
  pageId: string;
  /** the client's IPv4 address, or the network of an IPv6 address */
  network: string;
}
const knownVisitor = async (keys: Limiting['keys'], { pageId, network }: PageGuess): Promise<string> =>
  `page visitor ${pageId} ${await keys.fingerprint('page visitor', network)}`;

/**
 * Counts an attempt to open a page, in a counter of the client and in a counter of the page. A client that has opened
 * the page before has a separate counter.
 *
 * @throws TooMany if the client or the page has to wait, whether or not the page has a password
 */
export const countPageGuess =
  (limiting: Limiting) =>
  async (guess: PageGuess, now: number): Promise<CountedAttempt> => {
    const { entries, keys } = limiting;
    const known = await knownVisitor(keys, guess);
    if ((await entries.get('sign_in', known, now)) !== null) {
      return countWith(limiting, [{ id: known, lasting: true }], now);
    }
    const client = `page client ${await keys.fingerprint('page visitor', guess.network)}`;
    return countWith(limiting, [{ id: client }, { id: `page ${guess.pageId}`, delays: OF_PAGE }], now);
  };

/**
 * Remembers a client that entered the correct password, so that failed attempts of other clients do not delay this
 * client.
 */
export const rememberVisitor =
  ({ entries, keys }: Limiting) =>
  async (guess: PageGuess, now: number): Promise<void> => {
    const id = await knownVisitor(keys, guess);
    await entries.putAll('sign_in', [{ id, owner: null, value: JSON.stringify(NONE), expires_at: now + VISITOR_MS }]);
  };

export interface FailedSignIn {
  userId: string;
  organizationId: string;
  network: string;
  clientAddress: Sealed | null;
}

/**
 * Records a failure for the audit log. The failures of an account and a client address within 15 minutes become one
 * entry of the audit log.
 */
export const recordFailure =
  ({ entries, keys }: Limiting) =>
  async ({ userId, organizationId, network, clientAddress }: FailedSignIn, now: number): Promise<void> => {
    const ends = (Math.floor(now / AGGREGATION_MS) + 1) * AGGREGATION_MS;
    const address = await keys.fingerprint('sign-in address', network);
    const id = `${FAILURES_KEY}${userId} ${instantOf(ends)} ${address}`;
    for (let tries = 0; tries < TRIES; tries++) {
      const entry = await entries.get('sign_in', id, now);
      const before = entry && (JSON.parse(entry.value) as StoredFailures);
      const failed: StoredFailures = {
        organization_id: organizationId,
        user_id: userId,
        count: (before?.count ?? 0) + 1,
        first_at: before?.first_at ?? now,
        last_at: now,
        client_address: before?.client_address ?? clientAddress,
      };
      const put = { id, owner: userId, value: JSON.stringify(failed), expires_at: ends };
      if ((await entries.put('sign_in', put, entry?.version ?? null, now)) !== null) return;
    }
  };

/**
 * Does the same work as {@link recordFailure}. Called if the e-mail address is unknown, so that this failure takes as
 * long as a failure with a known address.
 */
export const simulateFailure =
  ({ entries, keys }: Limiting) =>
  async (network: string, now: number): Promise<void> => {
    const address = await keys.fingerprint('sign-in address', network);
    await entries.get('sign_in', `${FAILURES_KEY}nobody ${instantOf(now)} ${address}`, now);
    await entries.putAll('sign_in', [{ id: 'nobody', owner: null, value: JSON.stringify(NONE), expires_at: now }]);
  };
