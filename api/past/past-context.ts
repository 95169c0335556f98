import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Commands } from '../../commands/index.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { NotFound } from '../../domain/errors.ts';
import type { Instant } from '../../domain/time.ts';
import type { ApiSurface } from '../route.ts';

type Given = ApiSurface['given'];

/**
 * GET routes use commands only to list the connected runners. Connections are not recorded, so this list is empty in
 * past states.
 */
const commands: Commands = {
  bind: (command) =>
    command({
      runners: { defaultRegion: defaultRegionOf(REGIONS), abilities: async () => new Map() },
    } as unknown as CommandDependencies),
};

/** What the handler of a GET route receives, instead of current values, when the request asks for a past state. */
export const PAST_CONTEXT = {
  commands,
  // `positions` identifies the versions of the current read models, which a past state does not use. Responses with
  // past states are neither shared nor cached.
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
