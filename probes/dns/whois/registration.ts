import type { RunContext } from '../../engine/check-type.ts';
import { registrableDomain, topLevelOf } from './registrable-domain.ts';
import { LookupFailure } from './look-up-failure.ts';
import { merged, type WhoisInfo } from './whois-info.ts';
import type { LookUpInProgress } from './query-server.ts';
import { withTimeLimit } from './time-limit.ts';
import { overRdap } from './rdap.ts';
import { shareResult, cachedOrPending } from './shared-look-ups.ts';
import { overWhois } from './whois.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '../../../domain/time.ts';

/** The registration of a domain, as far as known. */
export interface Registration {
  /** null if nothing is known; lacks an expiry date if no source states one */
  info: WhoisInfo | null;
  /**
   * a sentence that says why no registry returned data now (`info` may still contain data of an earlier look-up); null
   * if a registry returned data
   */
  error: string | null;
}

/** How long an earlier expiry date is used if registries no longer return one, in seconds. */
const LAST_KNOWN = 30 * DAY_SECONDS;
/** Minimum interval between two look-ups of this runner at the same registry, in milliseconds. */
const PAUSE_MS = 1_000;
/**
 * Maximum time for which a look-up waits in the queue of a registry, in milliseconds. Without this limit, the runs of a
 * thousand domains could all wait at the same time.
 */
const QUEUE_MS = 3_000;
/** If a look-up has less time than this, in milliseconds, a timeout may not be the server's fault. */
const FAIR_MS = 4_000;
/**
 * After a look-up has waited in a queue without success, further look-ups do not enter the queue for this time, in
 * seconds.
 */
const BUSY = 2;

const TIME_IS_UP = new Error('There is no time left to ask registries.');

/**
 * Looks up the registration of a host's registrable domain: by RDAP if the registry supports it, otherwise by WHOIS,
 * which also supplies a missing expiry date. Responses are cached for a day and failures for an hour, so all checks of
 * a domain share one look-up. If no source states an expiry date, an earlier look-up's data is used for up to 30 days.
 * A timeout of a look-up with little time is not cached, because other checks give the server more time. Failures are
 * returned as a sentence, not thrown.
 *
 * If the context's signal aborts, rejects with the signal's reason.
 *
 * @param within time limit, in milliseconds
 * @throws LocalFailure
 */
export const registrationOf = async (host: string, within: number, context: RunContext): Promise<Registration> => {
  const domain = await registrableDomain(host);
  if (domain === null) return unknown(`${host} has no registrable domain.`);
  const { memory, clock, fresh } = context;
  const until = clock.monotonic() + within;
  const key = `registration of ${domain}`;
  const registry = `registry of ${topLevelOf(domain)}`;
  const recall = async (): Promise<Registration | undefined> =>
    fresh ? undefined : ((await cachedOrPending(key, until, context)) as Registration | undefined);

  const known = await recall();
  if (known) return known;
  if ((await memory.get(`${registry} is busy`)) !== undefined) return later(domain);
  const inTurn = await ending(Math.min(QUEUE_MS, within / 2), context, ({ signal: ended }) =>
    memory.waitForSlot(registry, PAUSE_MS, ended).then(() => true),
  );
  if (inTurn === undefined) {
    memory.set(`${registry} is busy`, true, BUSY);
    return later(domain);
  }
  // Another run may have looked up the same domain during the wait.
  const learned = await recall();
  if (learned) return learned;

  const left = until - clock.monotonic();
  // With so little time, a timeout would not be the registry's fault.
  if (left < within / 4) return later(domain);
  const inquiry = { deadline: until, isShortOfTime: within < FAIR_MS };
  return shareResult(key, until, context, async () => {
    const found = await ending(left, context, (limited) => lookUp(domain, { ...inquiry, context: limited }));
    // The look-up spent all its time waiting for the rate limits of servers.
    if (!found) return later(domain);
    const { passing, free, ...answer } = found;
    const registration = free ? answer : await withLastKnown(domain, answer, context);
    if (!passing) memory.set(key, registration, registration.error === null ? DAY_SECONDS : HOUR_SECONDS);
    return registration;
  });
};

/**
 * Stores the expiry date of a domain for later look-ups. If the data contains no expiry date, adds the date from an
 * earlier look-up.
 */
const withLastKnown = async (
  domain: string,
  registration: Registration,
  { memory }: RunContext,
): Promise<Registration> => {
  const key = `last known registration of ${domain}`;
  const { info } = registration;
  if (info && info.expiration_date !== null) {
    memory.set(key, info, LAST_KNOWN);
    return registration;
  }
  const last = (await memory.get(key)) as WhoisInfo | undefined;
  return last ? { ...registration, info: info ? merged(info, last) : last } : registration;
};

const unknown = (error: string): Registration => ({ info: null, error });

const later = (domain: string): Registration =>
  unknown(
    `The registration of ${domain} will be looked up by a later run: ` +
      'its registry is asked at most once a second, and other look-ups come first.',
  );

/** A registration with details that decide how it is cached. */
interface Answer extends Registration {
  /** whether the run had too little time; its failure is not cached then */
  passing: boolean;
  /** whether the domain is not registered */
  free: boolean;
}

/** Queries by RDAP; also by WHOIS if RDAP failed or returned no expiry date. @throws LocalFailure */
const lookUp = async (domain: string, inquiry: LookUpInProgress): Promise<Answer> => {
  let sentences: string[] = [];
  let info: WhoisInfo | null = null;
  let passing = false;
  for (const way of [overRdap, overWhois]) {
    try {
      const found = await way(domain, inquiry);
      info = info ? merged(info, found) : found;
      [sentences, passing] = [[], false];
      if (info.expiration_date !== null) break;
    } catch (error) {
      if (!(error instanceof LookupFailure)) throw error;
      if (error.isNotRegistered && !info)
        return { ...unknown([...sentences, error.message].join(' ')), passing, free: true };
      sentences.push(error.message);
      passing ||= error.isTransient;
    }
  }
  return { info, error: sentences.length === 0 ? null : sentences.join(' '), passing, free: false };
};

/** Calls `run`. If `run` takes longer than the given time, aborts it and returns undefined. */
const ending = async <T>(
  milliseconds: number,
  context: RunContext,
  run: (limited: RunContext) => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await withTimeLimit(milliseconds, TIME_IS_UP, context, run);
  } catch (error) {
    if (error === TIME_IS_UP) return undefined;
    throw error;
  }
};
