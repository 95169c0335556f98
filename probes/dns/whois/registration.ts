import type { RunContext } from '../../engine/check-type.ts';
import { registrableDomain, topLevelOf } from './domain.ts';
import { LookupFailure } from './failure.ts';
import { merged, type WhoisInfo } from './info.ts';
import type { Inquiry } from './inquiry.ts';
import { limitedTo } from './limited.ts';
import { overRdap } from './rdap.ts';
import { foundOut, remembered } from './together.ts';
import { overWhois } from './whois.ts';

/** What is known about a registration. */
export interface Registration {
  /** null if nothing is known; without a date where nobody says when it ends */
  info: WhoisInfo | null;
  /** a sentence that says why nothing is known, or only what an earlier look-up found; null if a registry answered */
  error: string | null;
}

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;
/** How long a date serves while registries give none, seconds. */
const LAST_KNOWN = 30 * DAY;
/** Between two look-ups at a registry, of this runner; milliseconds. */
const PAUSE_MS = 1_000;
/** How long a look-up waits for its turn, milliseconds: the runs of a thousand domains must not wait at once. */
const QUEUE_MS = 3_000;
/** A look-up with less time than this can't blame a server for its silence, milliseconds. */
const FAIR_MS = 4_000;
/** After a look-up has waited in vain, how long no other begins to wait, seconds. */
const BUSY = 2;

const TIME_IS_UP = new Error('There is no time left to ask registries.');

/**
 * Looks up who has registered the registrable domain of a host, and until when: by RDAP if the registry has it, else by
 * WHOIS, which is also asked if RDAP does not say until when. Answers are remembered for a day and failures for an hour, so
 * all checks of a domain ask once. While no source says until when, what an earlier look-up found serves for 30 days. The
 * silence of a server during a hurried run is not remembered, since other checks give it more time. A failure is not thrown: it is a
 * sentence.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @param within how long it may take, milliseconds
 * @throws OwnTrouble
 */
export const registrationOf = async (host: string, within: number, context: RunContext): Promise<Registration> => {
  const domain = await registrableDomain(host);
  if (domain === null) return unknown(`${host} has no registrable domain.`);
  const { memory, clock, fresh } = context;
  const until = clock.monotonic() + within;
  const key = `registration of ${domain}`;
  const registry = `registry of ${topLevelOf(domain)}`;
  const recall = async (): Promise<Registration | undefined> =>
    fresh ? undefined : ((await remembered(key, until, context)) as Registration | undefined);

  const known = await recall();
  if (known) return known;
  if ((await memory.recall(`${registry} is busy`)) !== undefined) return later(domain);
  const inTurn = await ending(Math.min(QUEUE_MS, within / 2), context, ({ signal: ended }) =>
    memory.turn(registry, PAUSE_MS, ended).then(() => true),
  );
  if (inTurn === undefined) {
    memory.remember(`${registry} is busy`, true, BUSY);
    return later(domain);
  }
  // An earlier run may have asked for the same domain.
  const learned = await recall();
  if (learned) return learned;

  const left = until - clock.monotonic();
  // Don't blame a registry that would get too little time.
  if (left < within / 4) return later(domain);
  const inquiry = { until, hurried: within < FAIR_MS };
  return foundOut(key, until, context, async () => {
    const found = await ending(left, context, (limited) => lookUp(domain, { ...inquiry, context: limited }));
    // It spent all of its time waiting for its turn at servers that others ask too.
    if (!found) return later(domain);
    const { passing, free, ...answer } = found;
    const registration = free ? answer : await withLastKnown(domain, answer, context);
    if (!passing) memory.remember(key, registration, registration.error === null ? DAY : HOUR);
    return registration;
  });
};

/** Remembers until when a domain is registered, or adds what an earlier look-up found. */
const withLastKnown = async (
  domain: string,
  registration: Registration,
  { memory }: RunContext,
): Promise<Registration> => {
  const key = `last known registration of ${domain}`;
  const { info } = registration;
  if (info && info.expiration_date !== null) {
    memory.remember(key, info, LAST_KNOWN);
    return registration;
  }
  const last = (await memory.recall(key)) as WhoisInfo | undefined;
  return last ? { ...registration, info: info ? merged(info, last) : last } : registration;
};

const unknown = (error: string): Registration => ({ info: null, error });

const later = (domain: string): Registration =>
  unknown(
    `The registration of ${domain} will be looked up by a later run: ` +
      'its registry is asked at most once a second, and other look-ups come first.',
  );

/** An answer, and what else is known about it. */
interface Answer extends Registration {
  /** the run had too little time, so its failure says nothing */
  passing: boolean;
  /** nobody has the domain */
  free: boolean;
}

/** RDAP first, then WHOIS for what RDAP has no answer to, above all until when. @throws OwnTrouble */
const lookUp = async (domain: string, inquiry: Inquiry): Promise<Answer> => {
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
      if (error.free && !info) return { ...unknown([...sentences, error.message].join(' ')), passing, free: true };
      sentences.push(error.message);
      passing ||= error.passing;
    }
  }
  return { info, error: sentences.length === 0 ? null : sentences.join(' '), passing, free: false };
};

/** Ends what takes longer than this; undefined then. */
const ending = async <T>(
  milliseconds: number,
  context: RunContext,
  run: (limited: RunContext) => Promise<T>,
): Promise<T | undefined> => {
  try {
    return await limitedTo(milliseconds, TIME_IS_UP, context, run);
  } catch (error) {
    if (error === TIME_IS_UP) return undefined;
    throw error;
  }
};
