import type { RunContext } from '../../probe/check-type.ts';
import { registrableDomain, topLevelOf } from './domain.ts';
import { LookupFailure } from './failure.ts';
import type { WhoisInfo } from './info.ts';
import type { Inquiry } from './inquiry.ts';
import { limitedTo } from './limited.ts';
import { overRdap } from './rdap.ts';
import { overWhois } from './whois.ts';

/** What is known of a registration, or a sentence why it is not known. */
export type Registration = { info: WhoisInfo; error: null } | { info: null; error: string };

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;
/** Between two look-ups at a registry, of this runner; milliseconds. */
const PAUSE_MS = 1_000;
/** How long a look-up waits for those before it, milliseconds; the runs of a thousand domains must not wait at once. */
const QUEUE_MS = 3_000;
/** How long nobody else begins to wait after one has waited in vain, seconds. */
const BUSY = 2;

/** How often a run looks whether another one is done, milliseconds. */
const LOOK_AGAIN_MS = 100;

const TIME_IS_UP = new Error('There is no time left to ask registries.');

/**
 * Looks up who has the registrable domain of a host, and until when: by RDAP where its registry has it, else by WHOIS.
 * Answers are remembered for a day and failures for an hour, so that the checks of a domain ask once. A failure is no
 * error: it has a sentence.
 *
 * When the context's signal ends it, it rejects with the signal's reason.
 *
 * @param within how long it may take, milliseconds
 * @throws OwnTrouble
 */
export const registrationOf = async (host: string, within: number, context: RunContext): Promise<Registration> => {
  const domain = await registrableDomain(host);
  if (domain === null) return unknown(`${host} has no domain that could be registered.`);
  const { memory, clock, fresh } = context;
  const until = clock.monotonic() + within;
  const key = `registration of ${domain}`;
  const registry = `registry of ${topLevelOf(domain)}`;
  const recall = (): Promise<Registration | undefined> => (fresh ? nothing() : remembered(key, until, context));

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
  // Those before this one may have asked for the same domain.
  const learned = await recall();
  if (learned) return learned;

  const left = until - clock.monotonic();
  // A registry that gets too little time is not to blame.
  if (left < within / 4) return later(domain);
  memory.remember(`${key} is under way`, true, left / 1_000);
  const found =
    (await ending(left, context, (limited) => lookUp(domain, { context: limited, until }))) ??
    unknown(`The registry of ${domain} gave no answer in the time that was left.`);
  memory.remember(key, found, found.info ? DAY : HOUR);
  return found;
};

const nothing = async (): Promise<undefined> => undefined;

/** What is remembered, or will be when another run that is asking just now is done; undefined if there is neither. */
const remembered = async (
  key: string,
  until: number,
  { memory, clock, signal }: RunContext,
): Promise<Registration | undefined> => {
  for (;;) {
    const known = (await memory.recall(key)) as Registration | undefined;
    if (known || clock.monotonic() >= until || (await memory.recall(`${key} is under way`)) === undefined) return known;
    await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
    signal.throwIfAborted();
  }
};

const unknown = (error: string): Registration => ({ info: null, error });

const later = (domain: string): Registration =>
  unknown(
    `The registration of ${domain} will be looked up by a later run: ` +
      'its registry is asked once a second, and others come first.',
  );

/** RDAP first, and WHOIS where it has no answer. @throws OwnTrouble */
const lookUp = async (domain: string, inquiry: Inquiry): Promise<Registration> => {
  const sentences: string[] = [];
  for (const way of [overRdap, overWhois]) {
    try {
      return { info: await way(domain, inquiry), error: null };
    } catch (error) {
      if (!(error instanceof LookupFailure)) throw error;
      sentences.push(error.message);
      if (error.free) break;
    }
  }
  return unknown(sentences.join(' '));
};

/** What takes longer than this is ended, and undefined. */
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
