import { exhaustMap, interval, startWith } from 'rxjs';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import type { DisconnectedRegion, RemoteRegions } from '../../domain/runner/remote-regions.ts';

/** Interval in which connected runners are looked up, in milliseconds. */
const POLL_MS = 5_000;

/** A runner whose token is not revoked. */
export interface ServingRunner {
  organization_id: string;
  name: string;
  /** id of the region */
  region: string;
  /** whether the region is a private location of the organization */
  private: boolean;
  /** whether the runner was ever connected */
  wasConnected: boolean;
}

export interface CutOffRegionsOptions {
  /** returns the runners that should serve their regions, from memory without reading a store; null: not known yet */
  runners: () => readonly ServingRunner[] | null;
  /** returns the remote runners that are connected to any process */
  presences: () => Promise<readonly Pick<RunnerPresence, 'region' | 'last_contact'>[]>;
  /** called if the connected runners can't be determined; the attempt is repeated */
  trouble: (error: unknown) => void;
}

export interface CutOffRegions extends RemoteRegions {
  /** Looks up the connected runners now. */
  poll: () => Promise<void>;
  stop: () => void;
}

/**
 * Determines repeatedly which regions of remote runners are cut off. Reads nothing while there are no remote runners.
 */
export const followCutOff = ({ runners, presences, trouble }: CutOffRegionsOptions): CutOffRegions => {
  /** when a runner of a region last reported, by region */
  const lastReports = new Map<string, number>();
  /** regions that had a connected runner at the latest poll; null: unknown */
  let connected: ReadonlySet<string> | null = null;

  const poll = async (): Promise<void> => {
    const all = runners();
    if (all === null) return;
    try {
      const present = all.length === 0 ? [] : await presences();
      for (const { region, last_contact } of present)
        lastReports.set(region, Math.max(last_contact, lastReports.get(region) ?? last_contact));
      connected = new Set(present.map(({ region }) => region));
    } catch (error) {
      connected = null;
      trouble(error);
    }
  };

  const cutOffOf = (region: string, all: readonly ServingRunner[]): DisconnectedRegion => {
    const own = all.filter((runner) => runner.region === region);
    const owner = own.find((runner) => runner.private);
    const since = lastReports.get(region) ?? null;
    return {
      region,
      since,
      ...(since === null && !own.some(({ wasConnected }) => wasConnected) && { waiting: true }),
      ...(owner && { name: owner.name, organization_id: owner.organization_id }),
    };
  };

  const regionsOf = (all: readonly ServingRunner[]): Set<string> => new Set(all.map(({ region }) => region));

  const polling = interval(POLL_MS).pipe(startWith(0), exhaustMap(poll)).subscribe();
  return {
    poll: poll,
    expected: () => regionsOf(runners() ?? []),
    cutOff: () => {
      const [all, present] = [runners(), connected];
      if (all === null || present === null) return null;
      return [...regionsOf(all)].filter((region) => !present.has(region)).map((region) => cutOffOf(region, all));
    },
    stop: () => {
      polling.unsubscribe();
    },
  };
};
