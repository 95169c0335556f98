import { TooMany } from '../../domain/errors.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { instantOf } from '../../domain/time.ts';
import type { Entry } from '../../stores/coordination/port.ts';
import type { CommandDependencies } from '../dependencies.ts';

/*
 * Delays after failed sign-ins and wrong passwords of pages (docs/decisions.md: Sign-in, Page passwords), in entries
 * `sign_in`. A try is counted before it is made, so that tries at once are counted too, and taken back when it was right.
 *
 * An account is counted by 18 bits of the fingerprint of its e-mail, whether or not there is such an account: what is
 * tried for e-mails that nobody has shows nothing else, and fills no more than these entries. An address from which the
 * user has signed in before has a count of its own, and neither of the others applies to it.
 */

/** How tries are put off. */
interface Delays {
  /** so many tries fail without a delay */
  free: number;
  /** the longest delay, milliseconds */
  longest: number;
}

const OF_ONE: Delays = { free: 10, longest: 900_000 };
/**
 * For the wrong passwords that all clients together send to a page. New visitors are delayed too, so the longest delay is
 * short; one guess a minute is too slow to find a password.
 */
const OF_PAGE: Delays = { free: 100, longest: 60_000 };
/** Counts are forgotten so long after the last failure, milliseconds; those that delay, after the second time. */
const FORGOTTEN_MS = 3_600_000;
const DELAYING_FORGOTTEN_MS = 86_400_000;
/** How long an address stays known after a sign-in, and how many of them of a user. */
const KNOWN_MS = 90 * 86_400_000;
const MOST_KNOWN = 50;
/** How long a client stays known that came in by the password of a page. */
const VISITOR_MS = 30 * 86_400_000;
/** Failures of an account and address are summed up by this time. */
export const SUMMED_UP_MS = 900_000;
const TRIES = 20;

interface Count {
  failures: number;
  /** refused before, milliseconds since 1970 */
  until: number;
}

/** Failures of an account and address within 15 minutes: the value of entries that begin with {@link FAILED}. */
export interface Failed {
  organization_id: string;
  user_id: string;
  count: number;
  first_at: number;
  last_at: number;
  client_address: Sealed | null;
}

export const FAILED = 'failed ';

type Limiting = Pick<CommandDependencies, 'entries' | 'keys'>;

/** A try that was counted. */
export interface Attempt {
  /** It was no failure: nobody knows, or something else is still to be shown. */
  takeBack: () => Promise<void>;
}

const NONE: Count = { failures: 0, until: 0 };

/** How long the next try is put off after so many failures, milliseconds. */
export const delayAfter = (failures: number, { free, longest }: Delays = OF_ONE): number =>
  failures <= free ? 0 : Math.min(longest, 1_000 * 2 ** Math.min(30, failures - free - 1));

const tooMany = (milliseconds: number): TooMany =>
  new TooMany('Too many failed tries. Please wait before the next one.', Math.max(1, Math.ceil(milliseconds / 1_000)));

/** Changes a count, or removes it (null), whoever else does so at once. @throws TooMany others changed it every time */
const change = async (
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

const keptUntil = (now: number, delaying: boolean, known: number | null): number =>
  Math.max(known ?? 0, now + (delaying ? DELAYING_FORGOTTEN_MS : FORGOTTEN_MS));

/** A count of failed attempts. */
interface Counter {
  id: string;
  /** the user whom it belongs to; default: nobody */
  owner?: string | null;
  /** whether its entry keeps the end that it has; default: no */
  lasting?: boolean;
  /** default: those of one client or account */
  delays?: Delays;
}

/** Counts one attempt. @throws TooMany it comes too early */
const countOne = async (
  limiting: Limiting,
  { id, owner = null, lasting = false, delays = OF_ONE }: Counter,
  now: number,
): Promise<void> => {
  await change(limiting, id, owner, now, ({ failures, until }, entry) => {
    // A clock that was set back must not put anybody off for longer.
    const wait = Math.min(until - now, delays.longest);
    if (wait > 0) throw tooMany(wait);
    const next = failures + 1;
    const delay = delayAfter(next, delays);
    return {
      count: { failures: next, until: delay === 0 ? 0 : now + delay },
      expires_at: keptUntil(now, next > delays.free, lasting && entry ? entry.expires_at : null),
    };
  });
};

const takeOneBack = async (
  limiting: Limiting,
  { id, owner = null, lasting = false, delays: { free } = OF_ONE }: Counter,
  now: number,
): Promise<void> => {
  await change(limiting, id, owner, now, ({ failures }, entry) => {
    const left = Math.max(0, failures - 1);
    // Who has addresses without number could fill the store by tries that are put off.
    if (left === 0 && !lasting) return null;
    return {
      count: { failures: left, until: 0 },
      expires_at: keptUntil(now, left > free, lasting && entry ? entry.expires_at : null),
    };
  });
};

/** Counts an attempt with all counters, or with none if one of them refuses it. @throws TooMany */
const countWith = async (limiting: Limiting, counters: readonly Counter[], now: number): Promise<Attempt> => {
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
  return { takeBack };
};

/** What is counted of a sign-in. */
export interface Tried {
  /** fingerprint of the e-mail */
  emailKey: string;
  /** whose account it is; null: nobody's */
  userId: string | null;
  /** where it comes from: an address, or the network of an IPv6 address */
  network: string;
}

const knownId = async (keys: Limiting['keys'], userId: string, network: string): Promise<string> =>
  `known ${userId} ${await keys.fingerprint('sign-in address', network)}`;

/**
 * Counts a try to sign in.
 *
 * @throws TooMany the account or the address has to wait, whether or not there is such an account
 */
export const countSignIn =
  (limiting: Limiting) =>
  async ({ emailKey, userId, network }: Tried, now: number): Promise<Attempt> => {
    const { entries, keys } = limiting;
    const known = await knownId(keys, userId ?? 'nobody', network);
    if ((await entries.get('sign_in', known, now)) !== null) {
      return countWith(limiting, [{ id: known, owner: userId, lasting: true }], now);
    }
    const address = `address ${await keys.fingerprint('sign-in address', network)}`;
    const account = `account ${emailKey.slice(0, 3)}`;
    return countWith(limiting, [{ id: address }, { id: account }], now);
  };

/** Remembers that a user has shown who they are from an address; whoever fails elsewhere does not delay it. */
export const rememberAddress =
  ({ entries, keys }: Limiting) =>
  async (userId: string, network: string, now: number): Promise<void> => {
    const id = await knownId(keys, userId, network);
    const known = { id, owner: userId, value: JSON.stringify(NONE), expires_at: now + KNOWN_MS };
    await entries.putAll('sign_in', [known]);
    const all = (await entries.ofOwner('sign_in', userId, now)).filter((entry) => entry.id.startsWith('known '));
    const oldest = all.sort((a, b) => a.expires_at - b.expires_at).slice(0, Math.max(0, all.length - MOST_KNOWN));
    for (const entry of oldest) await entries.remove('sign_in', entry.id);
  };

/** Counts what somebody tries who is signed in: passwords and codes that confirm a change. @throws TooMany */
export const countConfirmation =
  (limiting: Limiting) =>
  (userId: string, now: number): Promise<Attempt> =>
    countWith(limiting, [{ id: `confirmation ${userId}` }], now);

/** Who gives a page's password. */
export interface PageGuess {
  pageId: string;
  /** where it comes from: an address, or the network of an IPv6 address */
  network: string;
}

const knownVisitor = async (keys: Limiting['keys'], { pageId, network }: PageGuess): Promise<string> =>
  `page visitor ${pageId} ${await keys.fingerprint('page visitor', network)}`;

/**
 * Counts a password that a visitor gives: for the client, whatever the page, and for the page, whoever the client. A
 * client that came in lately has a count of its own.
 *
 * @throws TooMany the client or the page has to wait, whether or not the page has a password
 */
export const countPageGuess =
  (limiting: Limiting) =>
  async (guess: PageGuess, now: number): Promise<Attempt> => {
    const { entries, keys } = limiting;
    const known = await knownVisitor(keys, guess);
    if ((await entries.get('sign_in', known, now)) !== null) {
      return countWith(limiting, [{ id: known, lasting: true }], now);
    }
    const client = `page client ${await keys.fingerprint('page visitor', guess.network)}`;
    return countWith(limiting, [{ id: client }, { id: `page ${guess.pageId}`, delays: OF_PAGE }], now);
  };

/** Remembers a client that gave the right password; wrong guesses by other clients do not delay it. */
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

/** Notes a failure for the audit log, which shows all of an account and address within 15 minutes as one. */
export const noteFailure =
  ({ entries, keys }: Limiting) =>
  async ({ userId, organizationId, network, clientAddress }: FailedSignIn, now: number): Promise<void> => {
    const ends = (Math.floor(now / SUMMED_UP_MS) + 1) * SUMMED_UP_MS;
    const address = await keys.fingerprint('sign-in address', network);
    const id = `${FAILED}${userId} ${instantOf(ends)} ${address}`;
    for (let tries = 0; tries < TRIES; tries++) {
      const entry = await entries.get('sign_in', id, now);
      const before = entry && (JSON.parse(entry.value) as Failed);
      const failed: Failed = {
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

/** Does as much as {@link noteFailure} for an e-mail that nobody has, and notes nothing. */
export const noteNothing =
  ({ entries, keys }: Limiting) =>
  async (network: string, now: number): Promise<void> => {
    const address = await keys.fingerprint('sign-in address', network);
    await entries.get('sign_in', `${FAILED}nobody ${instantOf(now)} ${address}`, now);
    await entries.putAll('sign_in', [{ id: 'nobody', owner: null, value: JSON.stringify(NONE), expires_at: now }]);
  };
