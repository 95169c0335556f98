import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval, startWith } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { isSilent, regionsWithoutRunner, type ServedRegions } from '../../domain/check/missing-runners.ts';
import { instantOf } from '../../domain/time.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { lastCheckedAt } from '../../queries/checks/activity.ts';
import { findRunningChecks, readAllChecks } from '../../queries/checks/all-checks.ts';

/** Interval between two searches for checks without a runner, in milliseconds. */
const POLL_MS = 30_000;

export interface UnservedOptions {
  readers: Pick<Readers, 'for'>;
  served: () => Promise<ServedRegions>;
  /** returns milliseconds since 1970 */
  clock: () => number;
  /** returns the message about regions that are cut off from the service; null: there are none */
  cutOff?: () => string | null;
  registry: Registry;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * Numbers of checks without a runner, by region. If a region has runners that can't run a check type, the checks of
 * this type are counted separately.
 */
type Unserved = Map<string, { region: string; type: CheckTypeName | null; checks: number }>;

export interface UnservedChecks {
  /** Searches for checks without a runner now. If the checks can't be read, the previous numbers remain. */
  poll: () => Promise<void>;
  /** returns the state for `/health/ready` */
  part: () => HealthPart;
  stop: () => void;
}

/**
 * Looks repeatedly for checks that do not run because their regions have lost their runners. Counts these checks. Logs
 * when a region no longer has a runner, and when the region has a runner again.
 */
export const watchUnserved = ({
  readers,
  served,
  clock,
  cutOff = () => null,
  registry,
  logger,
}: UnservedOptions): UnservedChecks => {
  const read = readers.for({ appended: new Map() });
  let known: Unserved = new Map();
  new Gauge({
    name: 'checks_without_runner',
    help: 'Active checks that do not run because no live runner serves their regions',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { region, checks } of known.values()) this.inc({ region }, checks);
    },
  });

  const count = async (): Promise<Unserved> => {
    const now = instantOf(clock());
    const able = await served();
    const found: Unserved = new Map();
    for await (const page of readAllChecks({ read }, { active: true })) {
      const lost = (await findRunningChecks({ read }, page)).flatMap((check) => {
        const regions = regionsWithoutRunner(check, able);
        if (!regions) return [];
        // All regions of the check have runners, so the reason is that these runners can't run its type.
        const type = regions.every(({ id }) => able.abilities.has(id)) ? check.type : null;
        return [{ check, region: regions.map(({ id }) => id).join(' and '), type }];
      });
      const ids = lost.map(({ check }) => check.id);
      const lastChecked = await lastCheckedAt({ read }, ids);
      for (const { check, region, type } of lost) {
        if (!isSilent(check, lastChecked.get(check.id) ?? null, now)) continue;
        const key = `${region}/${type ?? ''}`;
        found.set(key, { region, type, checks: (found.get(key)?.checks ?? 0) + 1 });
      }
    }
    return found;
  };

  const look = async (): Promise<void> => {
    const found = await count().catch(() => known);
    for (const [key, { region, type, checks }] of found)
      if (!known.has(key)) {
        if (type === null) logger.warn({ region, checks }, 'no runner serves a region: its checks do not run');
        else logger.warn({ region, type, checks }, 'no runner of a region can run checks of a type: they do not run');
      }
    for (const [key, { region, type }] of known) {
      const what = { region, ...(type !== null && { type }) };
      if (!found.has(key)) logger.info(what, 'a region is served again, or no longer has such checks');
    }
    known = found;
  };

  const polling = interval(POLL_MS).pipe(startWith(0), exhaustMap(look)).subscribe();
  return {
    poll: look,
    part: () => {
      const described = [...known.values()]
        .map(({ region, type, checks }) => `${region} (${type === null ? '' : `${type}, `}${checks})`)
        .join(', ');
      const missing = [
        described === '' ? null : `No runner serves the region of active checks: ${described}.`,
        cutOff(),
      ];
      const message = missing.filter((sentence) => sentence !== null).join(' ');
      return {
        name: 'runners',
        ready: true,
        state: message === '' ? 'serving' : 'missing',
        lag_seconds: null,
        message: message === '' ? null : message,
      };
    },
    stop: () => {
      polling.unsubscribe();
    },
  };
};
