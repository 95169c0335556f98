import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { interval } from 'rxjs';
import type { RemoteRegions } from '../../domain/runner/remote-regions.ts';
import { instantOf } from '../../domain/time.ts';

/** Interval in which changes are logged, in milliseconds. Each poll only reads memory. */
const POLL_MS = 10_000;

export interface CutOffOptions {
  remote: RemoteRegions;
  registry: Registry;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export interface CutOffWatch {
  /** Looks for changes now. */
  poll: () => void;
  /** Returns the message about cut-off regions in `/health/ready`; null if no region is cut off. */
  message: () => string | null;
  stop: () => void;
}

/**
 * Reports which regions of remote runners are cut off from the service, in a metric and in `/health/ready`. Logs when a
 * region is cut off, and when it is connected again.
 */
export const watchCutOff = ({ remote, registry, logger }: CutOffOptions): CutOffWatch => {
  let known = new Set<string>();
  new Gauge({
    name: 'region_cut_off',
    help: 'Whether a region of remote runners has none connected (1) or at least one (0)',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      this.reset();
      const cutOff = remote.cutOff();
      if (cutOff === null) return;
      for (const region of remote.expected()) this.set({ region }, 0);
      for (const { region } of cutOff) this.set({ region }, 1);
    },
  });

  const poll = (): void => {
    const cutOff = remote.cutOff();
    if (cutOff === null) return;
    for (const { region, since } of cutOff)
      if (!known.has(region)) {
        const from = since === null ? {} : { since: instantOf(since) };
        logger.warn({ region, ...from }, 'a region is cut off: none of its remote runners is connected');
      }
    const now = new Set(cutOff.map(({ region }) => region));
    for (const region of known)
      if (!now.has(region)) logger.info({ region }, 'a region has a remote runner again, or no longer needs one');
    known = now;
  };

  const polling = interval(POLL_MS).subscribe(poll);
  return {
    poll: poll,
    message: () => {
      const described = (remote.cutOff() ?? []).map(({ region, since }) =>
        since === null ? region : `${region} (since ${instantOf(since).slice(0, 19)} UTC)`,
      );
      return described.length === 0 ? null : `No remote runner is connected for: ${described.join('; ')}.`;
    },
    stop: () => {
      polling.unsubscribe();
    },
  };
};
