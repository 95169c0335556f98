import { ProbeFailure } from './probe-failure.ts';
import type { Phase } from './stopwatch.ts';
import { explainConnectFailure } from '../../network/not-connected.ts';

/**
 * Converts an error of opening a connection into a failure of the target; returns undefined if the error says nothing
 * about the target.
 */
export const connectionFailure = (error: unknown): ProbeFailure | undefined => {
  const why = explainConnectFailure(error);
  return (
    why && new ProbeFailure(why.reason === 'target' ? 'failed' : 'down', why.reason, why.sentence, { cause: error })
  );
};

const WAITED_FOR: Record<Phase, (peer: string, received: number) => string> = {
  lookup: (peer) => `looking up ${peer}`,
  connect: (peer) => `connecting to ${peer}`,
  tls: (peer) => `during the TLS handshake with ${peer}`,
  first_byte: (peer) => `waiting for an answer from ${peer}`,
  transfer: (peer, received) => `receiving the response from ${peer} (${received} bytes so far)`,
};

/** Returns a failure that names the phase in which the time ran out. `timeout` is in seconds. */
export const timeoutFailure = (timeout: number, phase: Phase | null, peer: string, received: number): ProbeFailure =>
  new ProbeFailure('down', 'timeout', `Timed out after ${timeout} s ${WAITED_FOR[phase ?? 'lookup'](peer, received)}.`);
