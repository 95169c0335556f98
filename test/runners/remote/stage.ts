import { openUplink } from '../../../network/uplink.ts';
import { systemClock, type Clock } from '../../../network/clock.ts';
import type { Outcome, RunnableCheck } from '../../../probes/engine/check-type.ts';
import { RunAborted } from '../../../probes/engine/check-type.ts';
import type { ProbeContext } from '../../../runners/probes.ts';
import {
  createRemoteRunner,
  type RemoteRunner,
  type RemoteRunnerOptions,
} from '../../../runners/remote/remote-runner.ts';
import { eventually } from '../../waiting.ts';

export const TOKEN = `upr_${'t'.repeat(43)}`;

export const OK: Outcome = {
  status: 'ok',
  reason: null,
  response_time: 12,
  error_message: null,
  check_metadata: { status_code: 200 },
};

export const DOWN: Outcome = {
  status: 'down',
  reason: 'connect',
  response_time: null,
  error_message: 'No connection.',
  check_metadata: {},
};

type RunHere = (check: RunnableCheck, requested: ProbeContext) => Promise<Outcome>;

/** A run that never ends on its own. */
export const endless: RunHere = (_, { signal }) =>
  new Promise((__, reject) => {
    signal.addEventListener('abort', () => {
      reject(new RunAborted());
    });
  });

export interface Staged extends Partial<Omit<RemoteRunnerOptions, 'probes' | 'uplink' | 'clock'>> {
  run?: RunHere;
  clock?: Clock;
}

/** Starts a remote runner of the service at `server`, and records the events that the runner reports. */
export const startRunner = (server: URL, { run = async () => OK, clock = systemClock, ...more }: Staged = {}) => {
  const uplink = openUplink({ server, trust: [], proxy: null });
  const reported: string[] = [];
  const runner: RemoteRunner = createRemoteRunner({
    uplink,
    token: TOKEN,
    about: { release: '1.2.3', instance: 'instance', region: null, lacking: [] },
    probes: { types: ['web'], run },
    staging: null,
    anchors: null,
    spool: null,
    capacity: 10,
    offline: 1_800_000,
    clock,
    random: () => 0,
    observe: {
      connected: () => reported.push('connected'),
      lost: () => reported.push('lost'),
      failed: (reason) => reported.push(`failed: ${reason}`),
      revoked: () => reported.push('revoked'),
      offline: (checks) => reported.push(`offline: ${checks}`),
      offlineOver: () => reported.push('offline is over'),
      refused: (reason) => reported.push(`refused: ${reason}`),
      trouble: (_, error) => reported.push(`trouble: ${String(error)}`),
    },
    ...more,
  });
  const ended = runner.run();
  // Tests that expect a rejection await it. This handler only avoids an unhandled rejection.
  ended.catch(() => undefined);
  return {
    runner,
    reported: reported,
    ended,
    connected: () => eventually(() => runner.state().isConnected, { what: 'the runner is connected' }),
    stop: async (): Promise<void> => {
      await runner.stop();
      await uplink.close();
    },
  };
};
