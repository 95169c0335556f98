import { ProbeFailure } from './failure.ts';
import type { Phase } from './stopwatch.ts';
import { ConnectFailed } from '../../network/connect.ts';
import { connectSentence, lookupSentence } from '../../network/failures.ts';
import { LookupFailed, TargetRefused } from '../../network/open.ts';
import { TlsFailed } from '../../network/tls.ts';

/** What an error of opening a connection says of the target; undefined when it says nothing of it. */
export const connectionFailure = (error: unknown): ProbeFailure | undefined => {
  if (error instanceof LookupFailed)
    return new ProbeFailure('down', 'lookup', lookupSentence(error.host, error.code), { cause: error });
  if (error instanceof TargetRefused) return new ProbeFailure('failed', 'target', error.message);
  if (error instanceof ConnectFailed)
    return new ProbeFailure('down', 'connect', connectSentence(error.attempts, error.port), { cause: error });
  if (error instanceof TlsFailed) return new ProbeFailure('down', 'tls', error.message, { cause: error });
  return undefined;
};

const WAITED_FOR: Record<Phase, (peer: string, received: number) => string> = {
  lookup: (peer) => `looking up ${peer}`,
  connect: (peer) => `connecting to ${peer}`,
  tls: (peer) => `during the TLS handshake with ${peer}`,
  first_byte: (peer) => `waiting for an answer from ${peer}`,
  transfer: (peer, received) => `receiving the response from ${peer} (${received.toString()} bytes so far)`,
};

/** Says in which phase the time was up. `timeout`: seconds. */
export const timeoutFailure = (timeout: number, phase: Phase | null, peer: string, received: number): ProbeFailure =>
  new ProbeFailure(
    'down',
    'timeout',
    `Timed out after ${timeout.toString()} s ${WAITED_FOR[phase ?? 'lookup'](peer, received)}.`,
  );
