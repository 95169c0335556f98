import type { Logger } from 'pino';
import { Gauge, type Registry } from 'prom-client';
import { exhaustMap, interval, startWith } from 'rxjs';
import type { HealthPart } from '../../http/health.ts';
import { isSilent, regionsWithoutRunner, type Served } from '../../domain/check/unserved.ts';
import { instantOf } from '../../domain/time.ts';
import { checkActivity } from '../../projections/check-activity/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import { checks } from '../../projections/checks/projection.ts';
import type { Readers } from '../../projections/engine/readers.ts';

/** How often it is looked which checks have no runner, milliseconds. */
const LOOK_MS = 30_000;
const PAGE = 1_000;

export interface UnservedOptions {
  readers: Pick<Readers, 'for'>;
  served: () => Promise<Served>;
  /** milliseconds since 1970 */
  clock: () => number;
  registry: Registry;
  logger: Pick<Logger, 'info' | 'warn'>;
}

export interface UnservedChecks {
  /** Looks anew; what can't be read is as it was. */
  look: () => Promise<void>;
  /** for `/health/ready` */
  part: () => HealthPart;
  stop: () => void;
}

/**
 * Watches for checks that do not run since their regions have lost their runners: says so in the log when a region
 * has none any more and when it has one again, and tells how many there are.
 */
export const watchUnserved = ({ readers, served, clock, registry, logger }: UnservedOptions): UnservedChecks => {
  const read = readers.for({ appended: new Map() });
  /** checks without a runner, by the ids of their regions */
  let known = new Map<string, number>();
  new Gauge({
    name: 'checks_without_runner',
    help: 'Active checks that do not run since no live runner serves their regions',
    labelNames: ['region'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [region, count] of known) this.set({ region }, count);
    },
  });

  const count = async (): Promise<Map<string, number>> => {
    const now = instantOf(clock());
    const able = await served();
    const found = new Map<string, number>();
    for (let last: string | null = null; ;) {
      const where = { active: true, deleted_at: null, ...(last !== null && { id: { $gt: last } }) };
      const page: CheckDocument[] = await read(checks).checks.find({ where, sort: { id: 1 }, limit: PAGE });
      const lost = page.flatMap((check) => {
        const regions = regionsWithoutRunner(check, able);
        return regions ? [{ check, region: regions.map(({ id }) => id).join(' and ') }] : [];
      });
      const ids = lost.map(({ check }) => check.id);
      const heard = new Map((await read(checkActivity).check_activity.getMany(ids)).map((one) => [one.id, one]));
      for (const { check, region } of lost) {
        if (isSilent(check, heard.get(check.id)?.last_checked_at ?? null, now))
          found.set(region, (found.get(region) ?? 0) + 1);
      }
      const end = page.at(-1);
      if (!end) return found;
      last = end.id;
    }
  };

  const look = async (): Promise<void> => {
    const found = await count().catch(() => known);
    for (const [region, checks] of found)
      if (!known.has(region)) logger.warn({ region, checks }, 'no runner serves a region: its checks do not run');
    for (const region of known.keys())
      if (!found.has(region)) logger.info({ region }, 'a region is served again, or has no checks any more');
    known = found;
  };

  const looks = interval(LOOK_MS).pipe(startWith(0), exhaustMap(look)).subscribe();
  return {
    look,
    part: () => {
      const told = [...known].map(([region, checks]) => `${region} (${checks.toString()})`).join(', ');
      return {
        name: 'runners',
        ready: true,
        state: told === '' ? 'serving' : 'missing',
        lag_seconds: null,
        message: told === '' ? null : `No runner serves the region of active checks: ${told}.`,
      };
    },
    stop: () => {
      looks.unsubscribe();
    },
  };
};
