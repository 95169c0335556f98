import type { Clock } from '../../network/clock.ts';
import { openConnection } from '../../network/open-connection.ts';
import { OWN_SERVERS_POLICY } from '../../network/policy.ts';
import { systemResolve, type Resolve } from '../../network/resolve.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';

/** A server, chosen by the operator, that practically always accepts connections. */
export interface Anchor {
  host: string;
  port: number;
}

/**
 * Detects whether this runner is cut off from its network. While the runner is cut off, a failed run says nothing about
 * its target.
 */
export interface Anchors {
  /** Whether most anchors do not respond now. Never rejects. */
  silent: () => Promise<boolean>;
  /** Returns the newest known state; null if the state was never checked. */
  last: () => 'silent' | 'answering' | null;
  stop: () => void;
}

const QUIET = { phaseBegins: () => undefined, connected: () => undefined };

/** How long an anchor may take to accept a connection, including the lookup of its name. Milliseconds. */
const PATIENCE_MS = 2_000;

/** How long the state "most anchors do not respond" is cached, in milliseconds. */
const SILENCE_SHARED_MS = 10_000;

/**
 * How long the state "most anchors respond" is cached, in milliseconds. It is cached for a shorter time than silence,
 * because the network may fail right after a response, and the first failures of runs must not count as outages of
 * their targets.
 */
const ANSWER_SHARED_MS = 1_000;

/**
 * Failure reasons of a run that reached nothing. If a runner has no network, its runs fail with these reasons for every
 * target. `script` is included, because the cause of a script's failure is unknown.
 */
const UNREACHED: ReadonlySet<string | null> = new Set(['connect', 'lookup', 'timeout', 'script']);

/** Whether the cause of an outcome may be the runner's own network. */
export const mayBeOwnOutage = ({ status, reason }: Pick<Outcome, 'status' | 'reason'>): boolean =>
  status !== 'ok' && (status === 'down' || UNREACHED.has(reason));

export interface AnchorsOptions {
  anchors: readonly Anchor[];
  clock: Clock;
  resolve?: Resolve;
  /** Called when most anchors stop responding, or when most respond again. */
  changed?: (silent: boolean) => void;
}

/**
 * Checks whether this runner can reach anything, by connecting to anchors. The connections are closed immediately. The
 * operator chose the anchors, so the target policy does not apply. While most anchors do not respond, they are checked
 * repeatedly, to detect when the network works again.
 *
 * @param anchors at least three
 */
export const createAnchors = ({ anchors, clock, resolve = systemResolve, changed }: AnchorsOptions): Anchors => {
  let known: { silent: boolean; until: number } | null = null;
  let checking: Promise<boolean> | null = null;
  let stopped = false;
  let cancelNext = (): void => undefined;

  const accepts = (anchor: Anchor): Promise<boolean> => {
    const over = new AbortController();
    const context = { clock, resolve, policy: OWN_SERVERS_POLICY, signal: over.signal };
    const connected = openConnection(anchor, context, QUIET)
      .then(({ socket }) => {
        socket.destroy();
        return true;
      })
      .catch(() => false);
    // A lookup cannot be cancelled, so stop waiting for it instead.
    const timedOut = new Promise<boolean>((decide) => {
      const cancel = clock.after(PATIENCE_MS, () => {
        over.abort(new Error('The anchor was silent.'));
        decide(false);
      });
      void connected.then(cancel);
    });
    return Promise.race([connected, timedOut]);
  };

  const check = async (): Promise<boolean> => {
    const accepted = await Promise.all(anchors.map(accepts));
    const silent = accepted.filter((isAccepted) => !isAccepted).length * 2 > anchors.length;
    if (silent !== (known?.silent ?? false)) changed?.(silent);
    known = { silent, until: clock.monotonic() + (silent ? SILENCE_SHARED_MS : ANSWER_SHARED_MS) };
    cancelNext();
    if (silent && !stopped) cancelNext = clock.after(SILENCE_SHARED_MS, () => void isSilent());
    return silent;
  };

  const isSilent = (): Promise<boolean> => {
    checking ??= check().finally(() => {
      checking = null;
    });
    return checking;
  };

  return {
    silent: () => (known && clock.monotonic() < known.until ? Promise.resolve(known.silent) : isSilent()),
    last: () => (known ? (known.silent ? 'silent' : 'answering') : null),
    stop: () => {
      stopped = true;
      cancelNext();
    },
  };
};
