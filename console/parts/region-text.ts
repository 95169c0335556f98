import { signal } from '@preact/signals';
import { onStreamEvent } from '../live/live.ts';
import { call } from '../session/call.ts';
import { user } from '../session/session.ts';

/** Ids of private locations (docs/operate/runners.md). */
const PRIVATE = /^private-[0-9a-z]{12}$/;

export const isPrivateRegion = (region: string): boolean => PRIVATE.test(region);

/** The names of the private locations, by id. */
const names = signal<ReadonlyMap<string, string>>(new Map());

/**
 * Id of the user for whom `names` was loaded or is being loaded. Null if no names were loaded yet, if loading failed,
 * or if a runner has changed since the names were loaded.
 */
let namesFor: string | null = null;
let isListening = false;

const loadNames = async (userId: string): Promise<void> => {
  namesFor = userId;
  try {
    const { regions } = await call('GET /v1/checks/get-regions', {});
    if (user.peek()?.id !== userId) return;
    names.value = new Map(
      regions.flatMap(({ id, display_name }) => (isPrivateRegion(id) ? [[id, display_name] as const] : [])),
    );
  } catch {
    // The names are loaded again when a private location is next rendered. Until then, ids are shown instead of names.
    namesFor = null;
  }
};

const listen = (): void => {
  if (isListening) return;
  isListening = true;
  onStreamEvent((news) => {
    if (
      news.kind === 'reset' ||
      (news.kind === 'changes' && news.changes.some(({ resource }) => resource === 'runner'))
    )
      namesFor = null;
  });
};

/**
 * Returns the display name of a region: a private location by its name, any other region by its id. The names are
 * loaded when the first private location is shown. Before the names are loaded, and after all runners of a location are
 * revoked, the location is shown by its id.
 */
export const regionText = (region: string): string => {
  if (!isPrivateRegion(region)) return region;
  listen();
  const userId = user.value?.id ?? null;
  if (userId !== null && userId !== namesFor) void loadNames(userId);
  return names.value.get(region) ?? region;
};
