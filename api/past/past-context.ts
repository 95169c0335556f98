import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Commands } from '../../commands/index.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { NotFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { ApiSurface } from '../route.ts';

type Given = ApiSurface['given'];

/** GET routes need only the runner list from commands. Connected runners are in no log, so the list is empty here. */
const commands: Commands = {
  bind: (command) =>
    command({
      runners: { defaultRegion: defaultRegionOf(REGIONS), abilities: async () => new Map() },
    } as unknown as CommandDependencies),
};

/** What the handler of a GET route gets if it responds with a past state, besides the read models of that time. */
export const PAST_CONTEXT = {
  commands,
  // A past state has no later positions, and nothing computed from it is shared or cached.
  positions: () => '',
  share: ((_projections, _key, signal, work) => work(signal)) satisfies Given['share'],
  remember: ((_projections, _key, work) => work()) satisfies Given['remember'],
  lastUses: { of: () => Promise.resolve(new Map<string, Instant>()) },
  // Files have no history.
  artifacts: {
    find: async (): Promise<null> => null,
    read: (): Promise<never> => Promise.reject(new NotFound('Not found.')),
  },
  operator: null,
} as const;
