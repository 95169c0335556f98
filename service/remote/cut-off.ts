import { exhaustMap, interval, startWith } from 'rxjs';
import type { RunnerPresence } from '../../domain/runner/presence.ts';
import type { CutOffRegion, RemoteRegions } from '../../domain/runner/remote-regions.ts';

/** How often it is looked who is connected, milliseconds. */
const LOOK_MS = 5_000;

/** A runner whose token was not revoked. */
export interface ServingRunner {
  organization_id: string;
  name: string;
  /** id of the region */
  region: string;
  /** whether the region is a private location of the organization */
  private: boolean;
  /** whether it was ever connected */
  wasConnected: boolean;
}

export interface CutOffRegionsOptions {
  /** those that are to serve their regions, from memory; null: not known yet */
  runners: () => readonly ServingRunner[] | null;
  /** the remote runners that are connected to any process */
  presences: () => Promise<readonly Pick<RunnerPresence, 'region' | 'last_contact'>[]>;
  /** called when it can't be known who is connected; it is tried again */
  trouble: (error: unknown) => void;
}

export interface CutOffRegions extends RemoteRegions {
  /** Looks now. */
  look: () => Promise<void>;
  stop: () => void;
}

/** Follows which regions of remote runners are cut off. While there are no remote runners, nobody is asked. */
export const followCutOff = ({ runners, presences, trouble }: CutOffRegionsOptions): CutOffRegions => {
  /** by region, when a runner of it was heard of last */
  const heard = new Map<string, number>();
  /** regions that had a runner at the last look; null: not known */
  let connected: ReadonlySet<string> | null = null;

  const look = async (): Promise<void> => {
    const all = runners();
    if (all === null) return;
    try {
      const present = all.length === 0 ? [] : await presences();
      for (const { region, last_contact } of present)
        heard.set(region, Math.max(last_contact, heard.get(region) ?? last_contact));
      connected = new Set(present.map(({ region }) => region));
    } catch (error) {
      connected = null;
      trouble(error);
    }
  };

  const cutOffOf = (region: string, all: readonly ServingRunner[]): CutOffRegion => {
    const own = all.filter((runner) => runner.region === region);
    const owner = own.find((runner) => runner.private);
    const since = heard.get(region) ?? null;
    return {
      region,
      since,
      ...(since === null && !own.some(({ wasConnected }) => wasConnected) && { waiting: true }),
      ...(owner && { name: owner.name, organization_id: owner.organization_id }),
    };
  };

  const regionsOf = (all: readonly ServingRunner[]): Set<string> => new Set(all.map(({ region }) => region));

  const looks = interval(LOOK_MS).pipe(startWith(0), exhaustMap(look)).subscribe();
  return {
    look,
    expected: () => regionsOf(runners() ?? []),
    cutOff: () => {
      const [all, present] = [runners(), connected];
      if (all === null || present === null) return null;
      return [...regionsOf(all)].filter((region) => !present.has(region)).map((region) => cutOffOf(region, all));
    },
    stop: () => {
      looks.unsubscribe();
    },
  };
};
