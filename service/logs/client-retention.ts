import type { Logger } from 'pino';
import { setImmediate as turn } from 'node:timers/promises';
import { exhaustMap, interval } from 'rxjs';
import { monthOf, monthOfKey } from '../../domain/client-key.ts';
import {
  isClientRetentionConfirmed,
  originsRetainedFrom,
  nextClientRetention,
  type Retention,
} from '../../domain/retention.ts';
import {
  CLIENT_RETENTION,
  CLIENT_RETENTION_CONFIRMED,
  CoordinationUnavailable,
  type Coordination,
} from '../../stores/coordination/port.ts';
import { KeysUnavailable, type Keys } from '../../stores/keys/port.ts';
import type { LogTime } from './log-time.ts';

export interface ClientRetentionOptions {
  coordination: Pick<Coordination, 'read' | 'write'>;
  keys: Pick<Keys, 'names' | 'forget'>;
  /** AUDIT_CLIENT_RETENTION_MONTHS: number of whole UTC months before the present one; 0: unlimited */
  months: number;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  /** the time according to the results log (log-time.ts) */
  logTime: LogTime;
  /** returns milliseconds of a monotonic clock */
  elapsed?: () => number;
}

export interface ClientRetention {
  /** resolves when the first deletion has finished or failed */
  firstRound: Promise<void>;
  /** Stops the periodic deletion, and waits for a deletion in progress. */
  stop: () => Promise<void>;
}

/** Interval between decisions, in milliseconds. */
const EVERY_MS = 60_000;
/**
 * Interval at which keys are listed even if the retained months have not changed, in milliseconds. This is necessary
 * because keys of earlier months may be created while the clock is set back.
 */
const LIST_MS = 3_600_000;
const NAMES_AT_ONCE = 1_000;

const KINDS = ['clients-', 'visitors-'];

/** Returns how far the deletion of client addresses has progressed; null if nothing was deleted yet. */
export const readClientRetention = async (coordination: Pick<Coordination, 'read'>): Promise<Retention | null> => {
  const text = await coordination.read(CLIENT_RETENTION);
  return text === null ? null : (JSON.parse(text) as Retention);
};

/** Describes the retention state for the operator. */
export const clientRetentionSentence = ({ from, wanted }: Retention): string => {
  const stored = `Client addresses and user agents since ${monthOf(from)} are stored.`;
  return wanted === null
    ? stored
    : `${stored} By the clock they should be stored only since ${monthOf(wanted)}, but results do not confirm that time. ` +
        'If the clock is right, run uptrail retention confirm.';
};

/**
 * Decides every minute from which month on client addresses are retained (domain/retention.ts). Deletes the keys of
 * earlier months, for the clients and visitors of every organization. The keys to delete are found by their names.
 * Therefore, if a key was restored or its deletion was interrupted, it is deleted after the next listing. A month that
 * is no longer retained never becomes retained again.
 *
 * Resolves after the first decision.
 */
export const startClientRetention = async (options: ClientRetentionOptions): Promise<ClientRetention> => {
  const { coordination, keys, months, logger, clock, logTime, elapsed = () => performance.now() } = options;
  // With 0 months, nothing expires.
  if (months === 0) return { firstRound: Promise.resolve(), stop: async () => undefined };
  const stop = new AbortController();
  let logged: string | null = null;
  let last: { before: string; at: number } | null = null;

  const decide = async (): Promise<Retention> => {
    const known = await readClientRetention(coordination);
    const confirmed = await coordination.read(CLIENT_RETENTION_CONFIRMED);
    const now = clock();
    if (isClientRetentionConfirmed(originsRetainedFrom(now, months), confirmed)) logTime.trust(now);
    const next = nextClientRetention(known, { now, logTime: logTime.now(), confirmed, months });
    if (JSON.stringify(next) !== JSON.stringify(known))
      await coordination.write(CLIENT_RETENTION, JSON.stringify(next));
    const sentence = next.wanted === null ? null : clientRetentionSentence(next);
    if (sentence !== null && sentence !== logged) logger.warn(sentence);
    logged = sentence;
    return next;
  };

  const forget = async ({ from }: Retention): Promise<void> => {
    const before = monthOf(from);
    if (last?.before === before && elapsed() - last.at < LIST_MS) return;
    const at = elapsed();
    let count = 0;
    for (const prefix of KINDS) {
      for (let after = ''; ;) {
        const names = await keys.names({ prefix, after, limit: NAMES_AT_ONCE });
        for (const name of names) {
          if (stop.signal.aborted) return;
          const month = monthOfKey(name);
          if (month === null || month >= before) continue;
          if ((await keys.forget(name)) === 'forgotten') count++;
          // Let other work run before the next deletion.
          await turn();
        }
        after = names.at(-1) ?? '';
        if (names.length < NAMES_AT_ONCE) break;
      }
    }
    if (count > 0) logger.info({ before, keys: count }, 'client addresses before this month were permanently deleted');
    last = { before, at };
  };

  const trouble = (error: unknown): void => {
    if (stop.signal.aborted) return;
    if (!(error instanceof CoordinationUnavailable || error instanceof KeysUnavailable)) throw error;
    logger.warn({ err: error }, 'client addresses could not be deleted; retrying in a minute');
  };

  const first = await decide().catch(trouble);
  // The start of the service does not wait for the first deletion.
  let underWay: Promise<void> = first ? forget(first).catch(trouble) : Promise.resolve();
  const runNext = (): Promise<void> => {
    underWay = underWay.then(async () => forget(await decide())).catch(trouble);
    return underWay;
  };
  const looked = underWay;
  const rounds = interval(EVERY_MS).pipe(exhaustMap(runNext)).subscribe();
  return {
    firstRound: looked,
    stop: async () => {
      stop.abort();
      rounds.unsubscribe();
      await underWay;
    },
  };
};
