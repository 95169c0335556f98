import { exhaustMap, interval, startWith, type Subscription } from 'rxjs';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { defaultRegionOf, regionOf, type LiveRunners, type Region } from '../../domain/check/regions.ts';
import { isCheckType } from '../../domain/check/types/index.ts';
import { createMutex } from '../../domain/mutex.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/** How often a runner announces itself, and others look, milliseconds. */
const BEAT_MS = 5_000;
/** How long a silent runner counts as live, milliseconds. */
const SILENCE_MS = 15_000;

const PREFIX = 'runner:';

interface Said {
  /** id of the region */
  region: string;
  types: CheckTypeName[];
  /** grows as long as the runner lives */
  beat: number;
}

export interface PresenceOptions {
  coordination: Pick<Coordination, 'write'>;
  /** distinguishes this process from others that run the same region */
  identity: string;
  regions: readonly Region[];
  types: readonly CheckTypeName[];
}

/** Announces every few seconds which types of checks this process runs, and where. @returns ends and withdraws it */
export const announceRunner = ({ coordination, identity, regions, types }: PresenceOptions): (() => Promise<void>) => {
  const names = regions.map((region) => ({ region, name: `${PREFIX}${region.aliases[0]}:${identity}` }));
  let beat = 0;
  const say = async (): Promise<void> => {
    beat += 1;
    const said = (region: Region): Said => ({ region: region.id, types: [...types], beat });
    await Promise.all(names.map(({ region, name }) => coordination.write(name, JSON.stringify(said(region)))));
  };
  const inTurn = createMutex();
  const beats: Subscription = interval(BEAT_MS)
    .pipe(startWith(0))
    .subscribe(() => {
      // The next beat makes up for one that fails.
      inTurn(say).catch(() => undefined);
    });
  return async () => {
    beats.unsubscribe();
    await inTurn(() => Promise.all(names.map(({ name }) => coordination.write(name, ''))));
  };
};

export interface AnnouncedRunnersOptions {
  coordination: Pick<Coordination, 'readUnder'>;
  /** regions that are served, in the order of the configuration */
  served: readonly Region[];
  /** milliseconds of a monotonic clock */
  monotonic?: () => number;
}

export interface AnnouncedRunners extends LiveRunners {
  stop: () => void;
}

/**
 * What the runners of all processes can do, as they announce it. A runner whose announcement does not change for a
 * while is gone. This is measured by the clock of this process, so no two clocks have to agree.
 */
export const followRunners = (options: AnnouncedRunnersOptions): AnnouncedRunners => {
  const { coordination, served, monotonic = () => performance.now() } = options;
  const heard = new Map<string, { value: string; at: number }>();

  const look = async (): Promise<void> => {
    const values = await coordination.readUnder(PREFIX);
    const now = monotonic();
    for (const { name, value } of values) {
      if (heard.get(name)?.value !== value) heard.set(name, { value, at: now });
    }
  };

  const looks = interval(BEAT_MS)
    .pipe(
      startWith(0),
      exhaustMap(() => look().catch(() => undefined)),
    )
    .subscribe();

  /** What live runners of the served regions say. */
  const said = async (): Promise<Said[]> => {
    await look();
    const alive = [...heard.values()].filter(({ value, at }) => value !== '' && monotonic() - at < SILENCE_MS);
    return alive
      .map(({ value }) => JSON.parse(value) as Said)
      .filter(({ region }) => served.some(({ id }) => id === regionOf(region)?.id));
  };

  return {
    defaultRegion: defaultRegionOf(served),
    processes: async () => {
      const processes = new Map<string, number>();
      for (const { region } of await said()) processes.set(region, (processes.get(region) ?? 0) + 1);
      return processes;
    },
    abilities: async () => {
      const abilities = new Map<string, CheckTypeName[]>();
      for (const { region, types } of await said()) {
        // Another release may know types that are unknown here.
        const known = types.filter(isCheckType);
        abilities.set(region, [...new Set([...(abilities.get(region) ?? []), ...known])]);
      }
      return abilities;
    },
    stop: () => {
      looks.unsubscribe();
    },
  };
};
