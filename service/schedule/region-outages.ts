import { exhaustMap, interval } from 'rxjs';
import { recordedOutage, recordOutage, recordOutageEnd } from '../../commands/checks/region-outages.ts';
import type { Commands } from '../../commands/index.ts';
import type { Outage } from '../../domain/region/outage.ts';
import type { DisconnectedRegion, RemoteRegions } from '../../domain/runner/remote-regions.ts';
import { instantOf } from '../../domain/time.ts';
import type { Clock } from '../../network/clock.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import { regionOutages } from '../../projections/region-outages/projection.ts';
import type { TroubleLog } from '../trouble-log.ts';

const POLL_MS = 10_000;

/**
 * Minimum time for which this process must have observed an outage before it records the outage, in milliseconds. With
 * this delay, a reconnection of a runner, for example after a restart of the service, does not count as an outage.
 */
const OUTAGE_AFTER_MS = 60_000;

export interface RegionOutagesOptions {
  remote: RemoteRegions;
  commands: Commands;
  readers: Pick<Readers, 'for'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  /** id of the operator's organization, whose administrators are notified about outages of public regions */
  organizationId: string;
  troubles: Pick<TroubleLog, 'report'>;
}

export interface RegionOutages {
  /** Checks all regions now. */
  poll: () => Promise<void>;
  /** Stops polling. Resolves when the work in progress is finished. */
  stop: () => Promise<void>;
}

/**
 * Records when regions of remote runners are cut off from the service, and when they are connected again. These events
 * cause notifications. Only the process with the scheduler's lease records outages. If two processes have the lease for
 * a moment, the stream of the region ensures that each outage begins and ends only one time.
 */
export const recordOutages = (options: RegionOutagesOptions): RegionOutages => {
  const { remote, commands, readers, clock, organizationId, troubles } = options;
  const [load, begin, end] = [
    commands.bind(recordedOutage),
    commands.bind(recordOutage),
    commands.bind(recordOutageEnd),
  ];
  /**
   * time at which this process first observed that a region is cut off, by region; in milliseconds of the monotonic
   * clock
   */
  const cutOffSince = new Map<string, number>();
  /** the recorded outage of each region, or null; a region is absent until it was looked up */
  const recorded = new Map<string, Outage | null>();
  let isRecalled = false;

  /**
   * Reads the outages that were recorded before this process started. These include outages of regions that no longer
   * have remote runners.
   */
  const recall = async (): Promise<void> => {
    if (isRecalled) return;
    const open = await readers.for({ appended: new Map() })(regionOutages).region_outages.find({});
    for (const { region, organization_id } of open)
      if (!recorded.has(region)) recorded.set(region, await load(region, organization_id));
    isRecalled = true;
  };

  const whose = ({ organization_id }: DisconnectedRegion): string => organization_id ?? organizationId;

  const noteCutOff = (cutOff: readonly DisconnectedRegion[]): void => {
    const now = clock.monotonic();
    const regions = new Set(cutOff.map(({ region }) => region));
    for (const region of regions) if (!cutOffSince.has(region)) cutOffSince.set(region, now);
    for (const region of cutOffSince.keys()) if (!regions.has(region)) cutOffSince.delete(region);
  };

  const beginIfLong = async (found: DisconnectedRegion): Promise<void> => {
    const { region, waiting, name } = found;
    const ago = clock.monotonic() - (cutOffSince.get(region) ?? clock.monotonic());
    if (waiting === true || ago < OUTAGE_AFTER_MS || recorded.get(region)) return;
    const now = clock.now();
    const since = instantOf(Math.round(Math.min(found.since ?? now - ago, now)));
    const outage = { organization_id: whose(found), region, since, ...(name !== undefined && { name }) };
    recorded.set(region, await begin(outage, instantOf(now)));
  };

  const endAll = async (cutOff: readonly DisconnectedRegion[], expected: ReadonlySet<string>): Promise<void> => {
    for (const region of expected) if (!recorded.has(region)) recorded.set(region, await load(region, organizationId));
    for (const [region, outage] of recorded) {
      if (!outage || cutOff.some((found) => found.region === region)) continue;
      await end(outage, expected.has(region) ? 'connected' : 'not_remote', instantOf(clock.now()));
      recorded.set(region, null);
    }
  };

  const poll = async (): Promise<void> => {
    const cutOff = remote.cutOff();
    if (cutOff === null) return;
    noteCutOff(cutOff);
    try {
      await recall();
      await endAll(cutOff, remote.expected());
      for (const found of cutOff) await beginIfLong(found);
    } catch (error) {
      troubles.report('Cannot record which regions are cut off.', error);
    }
  };

  let pending: Promise<void> = Promise.resolve();
  const polling = interval(POLL_MS)
    .pipe(exhaustMap(() => (pending = poll())))
    .subscribe();
  return {
    poll: poll,
    stop: async () => {
      polling.unsubscribe();
      await pending;
    },
  };
};
