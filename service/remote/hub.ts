import type { ServerResponse } from 'node:http';
import { regionOf, type Region } from '../../domain/check/regions.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import { HttpError } from '../../http/errors.ts';
import type { Clock } from '../../network/clock.ts';
import type { Hello, Order } from '../../runners/remote/protocol.ts';
import type { KnownRunner } from '../../api/runner-source.ts';
import { createSession, type Session } from './session.ts';
import type { Tickets } from './tickets.ts';

/**
 * Maximum time in which a runner without a stream has to open a new one, in milliseconds. After that time, its runs are
 * given to other runners.
 */
const DETACHED_MS = 5_000;
/**
 * Milliseconds without a report after which a runner counts as gone, whatever the state of its stream. After a network
 * failure, a connection may look open for minutes.
 */
const SILENT_MS = 8_000;
/**
 * Milliseconds without a report after which a runner counts as gone, if its reports may reach other processes than the
 * one with its stream.
 */
const SILENT_ELSEWHERE_MS = 30_000;
/** Maximum number of processes that may use one token at the same time. */
const MAX_INSTANCES = 10;

/** Why a runner has disconnected. */
export type DisconnectReason = 'stopped' | 'silent' | 'revoked';

export interface HubOptions {
  tickets: Tickets;
  clock: Clock;
  /** whether a proxy may send the reports of a runner to other processes */
  isOneOfSeveral: boolean;
  /**
   * Starts to execute the runs of a session's region.
   *
   * @returns a function that stops the execution; runs in progress are then given to other runners
   */
  work: (session: Session) => () => Promise<void>;
  connected: (session: Session) => void;
  disconnected: (session: Session, why: DisconnectReason) => void;
}

/** The remote runners that are connected to this process. */
export interface Hub {
  /**
   * Opens a session.
   *
   * @throws HttpError 409 the token is for another region; 429 too many processes use the token
   */
  connect: (runner: KnownRunner, hello: Hello, from: { address: string | null; tokenHash: string }) => Session;
  /**
   * Returns a session by its id. Returns null if this process has no such session (any more), or if it belongs to
   * another runner.
   */
  session: (id: string, runnerId: string) => Session | null;
  /** Opens or renews the stream of a session. */
  stream: (session: Session, response: ServerResponse) => void;
  /** Ends a session. */
  leave: (session: Session, why: DisconnectReason) => void;
  /** Ends the sessions whose tokens are no longer valid. */
  checkTokens: (works: (tokenHash: string) => Promise<boolean>) => Promise<void>;
  /** Called when the result of a run in a region was stored, possibly by another process. */
  stored: (runId: string, region: string) => void;
  /** Tells the runners to forget the definition of a check that was changed, paused or deleted. */
  forget: (checkId: string) => void;
  presences: () => RunnerPresence[];
  /** Ends all sessions. The runners then connect to another process, or to this service after its restart. */
  stop: () => Promise<void>;
}

interface Open {
  session: Session;
  /** hash of the token with which the session was opened */
  tokenHash: string;
  /** stops executing runs; null: no stream has been opened yet */
  endWork: (() => Promise<void>) | null;
  cancelDetached: () => void;
  cancelSilent: () => void;
}

export const createHub = (options: HubOptions): Hub => {
  const { tickets, clock, isOneOfSeveral, work, connected, disconnected } = options;
  const mostSilence = isOneOfSeveral ? SILENT_ELSEWHERE_MS : SILENT_MS;
  const open = new Map<string, Open>();
  const ending = new Set<Promise<void>>();

  const close = (
    { session, endWork, cancelDetached, cancelSilent }: Open,
    reason: Extract<Order, { kind: 'end' }>['reason'],
  ): void => {
    if (!open.delete(session.id)) return;
    cancelDetached();
    cancelSilent();
    session.end(reason);
    if (!endWork) return;
    const ended: Promise<void> = endWork().finally(() => ending.delete(ended));
    ending.add(ended);
  };
  const leave = (entry: Open, why: DisconnectReason): void => {
    if (!open.has(entry.session.id)) return;
    close(entry, END_OF[why]);
    if (entry.endWork) disconnected(entry.session, why);
  };
  const leaveUnlessBack = (entry: Open): void => {
    entry.cancelDetached();
    entry.cancelDetached = clock.after(DETACHED_MS, () => {
      if (!entry.session.isConnected()) leave(entry, 'silent');
    });
  };

  /**
   * Ends the session when the runner has been silent for too long. Checks this again at the earliest time at which the
   * silence can have become too long.
   */
  const leaveWhenSilent = (entry: Open, after = mostSilence): void => {
    entry.cancelSilent = clock.after(after, () => {
      const left = entry.session.lastReportAt() + mostSilence - clock.monotonic();
      if (left <= 0) leave(entry, 'silent');
      else leaveWhenSilent(entry, left);
    });
  };

  return {
    connect: (runner, hello, { address, tokenHash }) => {
      const region = regionNamed(runner);
      if (hello.region !== null && regionOf(hello.region)?.id !== region.id)
        throw new HttpError(409, `This token is for region "${region.id}", not for "${hello.region}".`);
      const own = (): Open[] => [...open.values()].filter(({ session }) => session.runner.id === runner.id);
      for (const entry of own()) if (entry.session.hello.instance === hello.instance) close(entry, 'replaced');
      if (own().length >= MAX_INSTANCES) throw tooManyInstances();
      const session = createSession({ runner, region, hello, address, tickets, clock });
      const entry = entryOf(session, tokenHash);
      open.set(session.id, entry);
      leaveUnlessBack(entry);
      return session;
    },
    session: (id, runnerId) => {
      const found = open.get(id)?.session;
      return found?.runner.id === runnerId ? found : null;
    },
    stream: (session, response) => {
      const entry = open.get(session.id);
      if (!entry) {
        response.end();
        return;
      }
      entry.cancelDetached();
      session.noteReport();
      session.stream(response, () => {
        if (!session.isConnected()) leaveUnlessBack(entry);
      });
      if (entry.endWork) return;
      leaveWhenSilent(entry);
      entry.endWork = work(session);
      connected(session);
    },
    leave: (session, why) => {
      const entry = open.get(session.id);
      if (entry) leave(entry, why);
    },
    checkTokens: async (works) => {
      for (const entry of [...open.values()]) if (!(await works(entry.tokenHash))) leave(entry, 'revoked');
    },
    stored: (runId, region) => {
      for (const { session } of open.values()) if (session.region.id === region) session.storedElsewhere(runId);
    },
    forget: (checkId) => {
      for (const { session } of open.values()) session.forget(checkId);
    },
    presences: () =>
      [...open.values()].filter(({ endWork }) => endWork !== null).map(({ session }) => session.presence()),
    stop: async () => {
      for (const entry of [...open.values()]) close(entry, 'stopping');
      await Promise.all(ending);
    },
  };
};

const entryOf = (session: Session, tokenHash: string): Open => ({
  session,
  tokenHash,
  endWork: null,
  cancelDetached: () => undefined,
  cancelSilent: () => undefined,
});

const tooManyInstances = (): HttpError =>
  new HttpError(429, `At most ${MAX_INSTANCES} processes may use one token concurrently.`, {
    headers: { 'Retry-After': '60' },
  });

/** The reason that is sent to a runner when its session ends. */
const END_OF: Record<DisconnectReason, Extract<Order, { kind: 'end' }>['reason']> = {
  stopped: 'stopping',
  silent: 'stopping',
  revoked: 'revoked',
};

/**
 * Returns the region of a runner.
 *
 * @throws HttpError 409 this release does not know the region
 */
export const regionNamed = ({ region }: KnownRunner): Region => {
  const found = regionOf(region);
  if (!found) throw new HttpError(409, `The region "${region}" is unknown to this service.`);
  return found;
};
