import type { Handle } from '../commands/engine/handle.ts';
import { runnerDecider, type FormerToken, type Runner } from '../domain/runner/state.ts';
import type { Instant } from '../domain/time.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Read } from '../projections/readers.ts';
import { runners, type RunnerDocument } from '../projections/runners/projection.ts';
import { createInEffect, type TakeEffect } from './in-effect.ts';
import { whileUnchanged } from './remembered.ts';

/** A runner whose token was shown. */
export interface KnownRunner {
  id: string;
  organizationId: string;
  name: string;
  /** id of its region */
  region: string;
  /** whether the region is a private location of the organization */
  private: boolean;
  /** whether the token was rotated, so that it works for a while only; the other one is to be confirmed when it is used */
  isFormer: boolean;
}

/** Where the tokens of runners are looked up. */
export interface RunnerSource {
  /**
   * By the SHA-256 of a token in hexadecimal. What it finds is remembered while nothing can have changed.
   *
   * @returns null: the token is unknown or void, or its runner is revoked
   * @throws StoreUnavailable the log does not answer, and the read model is known to lack something
   */
  find: (hash: string) => Promise<KnownRunner | null>;
  takeEffect: TakeEffect;
  /**
   * Calls back when something was taken from somebody, here or by another process: tokens of open connections have to be
   * looked up again. It is called with nothing else to do, such as for an API key.
   *
   * @returns ends it
   */
  onTaken: (listener: () => void) => () => void;
}

/** Whose a token is, as the log says. */
export interface IssuedToken {
  runnerId: string;
  organizationId: string;
}

export interface RunnerSourceOptions {
  /** need not wait for a read model that has not caught up, since the log is looked into as well */
  read: Read;
  /** By hash, the tokens that were issued after a position of the log */
  issuedAfter: (position: bigint) => Promise<ReadonlyMap<string, IssuedToken>>;
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'want'>;
  load: Handle['load'];
  /** the log up to here is in effect from the first request on */
  from: bigint;
  /** whether this process has just heard what must be in effect (service/cluster/given-up.ts); default: always */
  isTold?: () => boolean;
  now: () => Instant;
  /** milliseconds; only differences count */
  clock?: () => number;
}

/** How long the tokens that were read from the log count as complete, milliseconds. */
const ISSUED_MS = 1_000;

/** What is known of a token besides the time. */
interface Known extends Omit<KnownRunner, 'isFormer'> {
  /** when a former token ends; null: it is the current one */
  until: Instant | null;
}

/**
 * Looks tokens up in the read model while it follows the log; otherwise in the log, so that a revoked token is refused
 * whatever its read model does, as API keys are (api/key-source.ts).
 */
export const createRunnerSource = (options: RunnerSourceOptions): RunnerSource => {
  const { read, issuedAfter, statuses, load, from, isTold, now, clock = () => performance.now() } = options;
  const model = read(runners);
  const inEffect = createInEffect(runners.name, { statuses, from, isTold });
  const listeners = new Set<() => void>();
  let taken = from;
  let issued: { tokens: Promise<ReadonlyMap<string, IssuedToken>>; at: number } | null = null;

  /** Shared by all look-ups within a second. */
  const issuedTokens = (): Promise<ReadonlyMap<string, IssuedToken>> => {
    if (!issued || clock() - issued.at > ISSUED_MS) {
      issued = { tokens: issuedAfter(statuses.of(runners.name).position), at: clock() };
      issued.tokens.catch(() => (issued = null));
    }
    return issued.tokens;
  };

  const tokens = whileUnchanged(inEffect.version, async (hash): Promise<Known | null> => {
    const token = await model.runner_tokens.get(hash);
    const document = token && (await model.runners.get(token.runner_id));
    return inEffect.decide(document && byDocument(document, hash), async () => {
      const owner = document
        ? { runnerId: document.id, organizationId: document.organization_id }
        : (await issuedTokens()).get(hash);
      if (!owner) return null;
      const { runnerId, organizationId } = owner;
      const state = await load(runnerId, runnerDecider, { organizationId });
      return byState(state, organizationId, hash);
    });
  });

  return {
    find: async (hash) => {
      const known = await tokens.get(hash);
      if (!known || (known.until !== null && now() >= known.until)) return null;
      const { until, ...runner } = known;
      return { ...runner, isFormer: until !== null };
    },
    takeEffect: (position) => {
      const effective = inEffect.takeEffect(position);
      if (position > taken) {
        taken = position;
        for (const listener of [...listeners]) listener();
      }
      return effective;
    },
    onTaken: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** When a token ends; null: it does not; undefined: it is void. */
const endOf = (hash: string, current: string, former: FormerToken | null): Instant | null | undefined => {
  if (hash === current) return null;
  return former?.hash === hash ? former.until : undefined;
};

const byDocument = (runner: RunnerDocument, hash: string): Known | null => {
  const { id, organization_id: organizationId, name, region, private: isPrivate } = runner;
  const until = endOf(hash, runner.token_hash, runner.former_token);
  if (runner.revoked_at !== null || until === undefined) return null;
  return { id, organizationId, name, region, private: isPrivate, until };
};

const byState = (runner: Runner, organizationId: string, hash: string): Known | null => {
  if (runner.status !== 'live') return null;
  const { id, name, region, private: isPrivate } = runner;
  const until = endOf(hash, runner.tokenHash, runner.former);
  return until === undefined ? null : { id, organizationId, name, region, private: isPrivate, until };
};
