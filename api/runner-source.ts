import type { Handle } from '../commands/engine/handle.ts';
import { runnerDecider, type FormerToken, type Runner } from '../domain/runner/state.ts';
import type { Instant } from '../domain/time.ts';
import type { Statuses } from '../projections/engine/status/statuses.ts';
import type { Read } from '../projections/readers.ts';
import { runners, type RunnerDocument } from '../projections/runners/projection.ts';
import { createAccessDecisions, type TakeEffect } from './access-decisions.ts';
import { cacheWhileUnchanged } from './lookup-cache.ts';

/** A runner, found by its token. */
export interface KnownRunner {
  id: string;
  organizationId: string;
  name: string;
  /** id of the runner's region */
  region: string;
  /** whether the region is a private location of the organization */
  private: boolean;
  /**
   * Whether the token was replaced by a newer one. A replaced token works until the newer token is first used, or until
   * the replaced token expires.
   */
  isFormer: boolean;
}

/** Looks up runners by their tokens. */
export interface RunnerSource {
  /**
   * Finds a runner by the SHA-256 of its token in hexadecimal. Results are cached until a runner might have changed.
   *
   * @returns null if the token is unknown or void, or its runner is revoked
   * @throws StoreUnavailable if the log is unavailable, and the read model is known to lack a revocation
   */
  find: (hash: string) => Promise<KnownRunner | null>;
  takeEffect: TakeEffect;
  /**
   * Calls the listener after every revocation in this or another process, even if only an API key was revoked. The
   * listener must look up the tokens of its open connections again.
   *
   * @returns a function that removes the listener
   */
  onRevocation: (listener: () => void) => () => void;
}

/** The owner of a token, as recorded in the log. */
export interface IssuedToken {
  runnerId: string;
  organizationId: string;
}

export interface RunnerSourceOptions {
  /** Reads read models. The reads need not wait until the models have caught up, because the log is read as well. */
  read: Read;
  /** Returns the tokens issued after a position of the log, by hash. */
  issuedAfter: (position: bigint) => Promise<ReadonlyMap<string, IssuedToken>>;
  statuses: Pick<Statuses, 'of' | 'lag' | 'isCurrent' | 'wantPosition'>;
  load: Handle['load'];
  /** Events up to this log position must be in effect from the first request on. */
  from: bigint;
  /**
   * Returns whether this process was recently informed up to which log position revocations must be in effect
   * (service/cluster/revocations.ts). Default: always true.
   */
  isInformed?: () => boolean;
  now: () => Instant;
  /** Returns milliseconds from any origin, such as `performance.now()`. */
  clock?: () => number;
}

/** How long tokens that were read from the log are cached, in milliseconds. */
const ISSUED_MS = 1_000;

/** A runner, and the expiry of the token that it was found by. */
interface TokenOwner extends Omit<KnownRunner, 'isFormer'> {
  /** Expiry of a token that was replaced by a newer one. Null for the current token. */
  until: Instant | null;
}

/**
 * Looks up tokens in the read model while the read model follows the log, otherwise in the log. So a revoked token is
 * refused even if the read model is late. API keys are looked up in the same way (api/key-source.ts).
 */
export const createRunnerSource = (options: RunnerSourceOptions): RunnerSource => {
  const { read, issuedAfter, statuses, load, from, isInformed, now, clock = () => performance.now() } = options;
  const model = read(runners);
  const inEffect = createAccessDecisions(runners.name, { statuses, from, isInformed });
  const listeners = new Set<() => void>();
  let taken = from;
  let issued: { tokens: Promise<ReadonlyMap<string, IssuedToken>>; at: number } | null = null;

  /** Reads the issued tokens. All lookups within a second share one read. */
  const issuedTokens = (): Promise<ReadonlyMap<string, IssuedToken>> => {
    if (!issued || clock() - issued.at > ISSUED_MS) {
      issued = { tokens: issuedAfter(statuses.of(runners.name).position), at: clock() };
      issued.tokens.catch(() => (issued = null));
    }
    return issued.tokens;
  };

  const tokens = cacheWhileUnchanged(inEffect.version, async (hash): Promise<TokenOwner | null> => {
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
    onRevocation: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** Returns when a token expires: null for the current token, which never expires; undefined for a void token. */
const endOf = (hash: string, current: string, former: FormerToken | null): Instant | null | undefined => {
  if (hash === current) return null;
  return former?.hash === hash ? former.until : undefined;
};

const byDocument = (runner: RunnerDocument, hash: string): TokenOwner | null => {
  const { id, organization_id: organizationId, name, region, private: isPrivate } = runner;
  const until = endOf(hash, runner.token_hash, runner.former_token);
  if (runner.revoked_at !== null || until === undefined) return null;
  return { id, organizationId, name, region, private: isPrivate, until };
};

const byState = (runner: Runner, organizationId: string, hash: string): TokenOwner | null => {
  if (runner.status !== 'live') return null;
  const { id, name, region, private: isPrivate } = runner;
  const until = endOf(hash, runner.tokenHash, runner.former);
  return until === undefined ? null : { id, organizationId, name, region, private: isPrivate, until };
};
