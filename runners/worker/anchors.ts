import type { Clock } from '../../network/clock.ts';
import { openConnection } from '../../network/open.ts';
import { OWN_SERVERS } from '../../network/policy.ts';
import { systemResolve, type Resolve } from '../../network/resolve.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';

/** A place that practically always takes connections, chosen by the operator. */
export interface Anchor {
  host: string;
  port: number;
}

/** Whether this runner can be reached by nothing itself, so that a failure says nothing about its target. */
export interface Anchors {
  /** Whether most anchors are silent now. Never rejects. */
  silent: () => Promise<boolean>;
  /** What they said last; null: nobody has asked yet. */
  last: () => 'silent' | 'answering' | null;
  stop: () => void;
}

const QUIET = { enter: () => undefined, connected: () => undefined };

/** How long an anchor may take to accept a connection, its look-up included. Milliseconds. */
const PATIENCE_MS = 2_000;

/** How long a silence is taken as known before they are asked again, milliseconds. */
const SILENCE_SHARED_MS = 10_000;

/**
 * How long it is taken as known that anchors answer, milliseconds. Shorter than a silence: the network may fail right
 * after they did, and the first failures must not pass for outages.
 */
const ANSWER_SHARED_MS = 1_000;

/**
 * Why a run has failed that never got anywhere: what a runner without a network sees of every target. Of a script
 * nobody knows why.
 */
const UNREACHED: ReadonlySet<string | null> = new Set(['connect', 'lookup', 'timeout', 'script']);

/** Whether an outcome may be due to the runner's own network. */
export const mayBeOwnOutage = ({ status, reason }: Pick<Outcome, 'status' | 'reason'>): boolean =>
  status !== 'ok' && (status === 'down' || UNREACHED.has(reason));

export interface AnchorsOptions {
  places: readonly Anchor[];
  clock: Clock;
  resolve?: Resolve;
  /** Called when most became silent, or most answer again. */
  changed?: (silent: boolean) => void;
}

/**
 * Asks anchors whether this runner still reaches anything: whether they accept connections, which are closed at once.
 * They are the operator's choice, so no target policy is asked. While they are silent they are asked again by itself,
 * so that it is known when that is over.
 *
 * @param places three or more
 */
export const createAnchors = ({ places, clock, resolve = systemResolve, changed }: AnchorsOptions): Anchors => {
  let known: { silent: boolean; until: number } | null = null;
  let asking: Promise<boolean> | null = null;
  let stopped = false;
  let cancelNext = (): void => undefined;

  const accepts = (anchor: Anchor): Promise<boolean> => {
    const over = new AbortController();
    const context = { clock, resolve, policy: OWN_SERVERS, signal: over.signal };
    const connected = openConnection(anchor, context, QUIET)
      .then(({ socket }) => {
        socket.destroy();
        return true;
      })
      .catch(() => false);
    // A look-up can't be ended, but nobody has to wait for it.
    const late = new Promise<boolean>((decide) => {
      const cancel = clock.after(PATIENCE_MS, () => {
        over.abort(new Error('The anchor was silent.'));
        decide(false);
      });
      void connected.then(cancel);
    });
    return Promise.race([connected, late]);
  };

  const ask = async (): Promise<boolean> => {
    const answers = await Promise.all(places.map(accepts));
    const silent = answers.filter((answered) => !answered).length * 2 > places.length;
    if (silent !== (known?.silent ?? false)) changed?.(silent);
    known = { silent, until: clock.monotonic() + (silent ? SILENCE_SHARED_MS : ANSWER_SHARED_MS) };
    cancelNext();
    if (silent && !stopped) cancelNext = clock.after(SILENCE_SHARED_MS, () => void asked());
    return silent;
  };

  const asked = (): Promise<boolean> => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };

  return {
    silent: () => (known && clock.monotonic() < known.until ? Promise.resolve(known.silent) : asked()),
    last: () => (known ? (known.silent ? 'silent' : 'answering') : null),
    stop: () => {
      stopped = true;
      cancelNext();
    },
  };
};
