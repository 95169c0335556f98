import { exhaustMap, interval, startWith, type Subscription } from 'rxjs';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { defaultRegionOf, regionOf, type LiveRunners, type Region } from '../../domain/check/regions.ts';
import { isCheckType } from '../../domain/check/types/index.ts';
import { createMutex } from '../../domain/concurrency/mutex.ts';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import { abilitiesOf } from '../../runners/worker/live-runners.ts';
import type { Coordination } from '../../stores/coordination/port.ts';

/**
 * Interval at which a runner announces itself, and at which other processes poll for announcements, in milliseconds.
 */
const BEAT_MS = 5_000;
/** Milliseconds after its latest announcement for which a runner counts as live. */
const SILENCE_MS = 15_000;

const PREFIX = 'runner:';

interface Announcement {
  /** id of the region */
  region: string;
  types: CheckTypeName[];
  /** present for a remote runner, which is connected to the announcing process */
  presence?: RunnerPresence;
  /** counter that increases while the runner is alive */
  beat: number;
}

export interface RunnerPresenceOptions {
  coordination: Pick<Coordination, 'write'>;
  /** distinguishes this process from others that serve the same region */
  identity: string;
  /** returns the regions that this process currently serves */
  regions: () => readonly Region[];
  types: readonly CheckTypeName[];
}

/**
 * Announces every few seconds which check types this process runs, and in which regions.
 *
 * @returns a function that stops the announcements and withdraws them
 */
export const announceRunner = ({
  coordination,
  identity,
  regions,
  types,
}: RunnerPresenceOptions): (() => Promise<void>) => {
  const announced = new Set<string>();
  let beat = 0;
  const withdraw = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map((name) => coordination.write(name, '')));
    for (const name of names) announced.delete(name);
  };
  const announce = async (): Promise<void> => {
    beat += 1;
    const current = new Map(
      regions().map((region): [string, Announcement] => [
        `${PREFIX}${region.aliases[0]}:${identity}`,
        { region: region.id, types: [...types], beat },
      ]),
    );
    for (const name of current.keys()) announced.add(name);
    await Promise.all([...current].map(([name, value]) => coordination.write(name, JSON.stringify(value))));
    await withdraw([...announced].filter((name) => !current.has(name)));
  };
  const serialized = createMutex();
  const beats: Subscription = interval(BEAT_MS)
    .pipe(startWith(0))
    .subscribe(() => {
      // If an announcement fails, the next one replaces it.
      serialized(announce).catch(() => undefined);
    });
  return async () => {
    beats.unsubscribe();
    await serialized(() => withdraw([...announced]));
  };
};

export interface RemoteAnnouncement {
  /** Announces immediately, for example when a runner has connected. */
  now: () => void;
  stop: () => Promise<void>;
}

/** Announces the remote runners that are connected to this process. Writes nothing if there are none. */
export const announceRemote = (
  coordination: Pick<Coordination, 'write'>,
  presences: () => readonly RunnerPresence[],
): RemoteAnnouncement => {
  const announced = new Set<string>();
  let beat = 0;
  const nameOf = ({ region, runner_id, instance }: RunnerPresence): string =>
    `${PREFIX}${regionOf(region)?.aliases[0] ?? region}:${runner_id}/${instance}`;
  const withdraw = async (names: Iterable<string>): Promise<void> => {
    for (const name of names) {
      await coordination.write(name, '');
      announced.delete(name);
    }
  };
  const announce = async (): Promise<void> => {
    const present = new Map(presences().map((presence) => [nameOf(presence), presence]));
    if (present.size === 0 && announced.size === 0) return;
    beat += 1;
    for (const [name, presence] of present) {
      const { region, types } = presence;
      announced.add(name);
      const announcement: Announcement = { region, types: [...types], presence, beat };
      await coordination.write(name, JSON.stringify(announcement));
    }
    await withdraw([...announced].filter((name) => !present.has(name)));
  };
  const serialized = createMutex();
  const announceSerialized = (): void => {
    // If an announcement fails, the next one replaces it.
    serialized(announce).catch(() => undefined);
  };
  const beats = interval(BEAT_MS).subscribe(announceSerialized);
  return {
    now: announceSerialized,
    stop: async () => {
      beats.unsubscribe();
      await serialized(() => withdraw([...announced]));
    },
  };
};

export interface AnnouncedRunnersOptions {
  coordination: Pick<Coordination, 'readByPrefix'>;
  /** regions that are served, in the order of the configuration */
  served: readonly Region[];
  /** returns milliseconds of a monotonic clock */
  monotonic?: () => number;
}

export interface AnnouncedRunners extends LiveRunners {
  stop: () => void;
}

/**
 * Follows the abilities that the runners of all processes announce. If the announcement of a runner stops changing, the
 * runner counts as gone. The time since the newest change is measured with the clock of this process, so the clocks of
 * different processes need not agree.
 */
export const followRunners = (options: AnnouncedRunnersOptions): AnnouncedRunners => {
  const { coordination, served, monotonic = () => performance.now() } = options;
  const lastChanges = new Map<string, { value: string; at: number }>();

  const poll = async (): Promise<void> => {
    const values = await coordination.readByPrefix(PREFIX);
    const now = monotonic();
    for (const { name, value } of values) {
      if (lastChanges.get(name)?.value !== value) lastChanges.set(name, { value, at: now });
    }
  };

  const polling = interval(BEAT_MS)
    .pipe(
      startWith(0),
      exhaustMap(() => poll().catch(() => undefined)),
    )
    .subscribe();

  const alive = async (): Promise<Announcement[]> => {
    await poll();
    return [...lastChanges.values()]
      .filter(({ value, at }) => value !== '' && monotonic() - at < SILENCE_MS)
      .map(({ value }) => JSON.parse(value) as Announcement);
  };

  return {
    defaultRegion: defaultRegionOf(served),
    processes: async () => {
      const processes = new Map<string, number>();
      for (const { region, presence } of await alive())
        if (!presence) processes.set(region, (processes.get(region) ?? 0) + 1);
      return processes;
    },
    abilities: async () => {
      const known = (await alive()).flatMap(({ region, types, presence }) => {
        // A remote runner serves the region of its token, even if that region is not configured for this process.
        const isServed = presence !== undefined || served.some(({ id }) => id === regionOf(region)?.id);
        // A process of another release may announce check types that this release does not know.
        return isServed ? [{ region, types: types.filter(isCheckType) }] : [];
      });
      return abilitiesOf(known);
    },
    presences: async () => (await alive()).flatMap(({ presence }) => presence ?? []),
    stop: () => {
      polling.unsubscribe();
    },
  };
};
