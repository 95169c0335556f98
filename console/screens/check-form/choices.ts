import type { Schemas } from '../../api/openapi.d.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import type { CheckTypeName } from './fields.ts';

/** The options that the form offers. */
export interface Choices {
  regions: readonly Schemas['Region'][];
  groups: readonly Pick<Schemas['CheckGroup'], 'id' | 'name'>[];
  channels: readonly Pick<Schemas['AlertChannel'], 'id' | 'name'>[];
  secrets: readonly Pick<Schemas['Secret'], 'id' | 'secret_name'>[];
  /** the shortest interval that the plan allows, in seconds; null: any */
  shortest: number | null;
}

const PAGE_SIZE = 100;

/** Loads all pages of a list and returns their items. */
export const allPages = async <T>(
  load: (page: number) => Promise<{ items: readonly T[]; hasNext: boolean }>,
): Promise<T[]> => {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { items, hasNext } = await load(page);
    all.push(...items);
    if (!hasNext) return all;
  }
};

export const allGroups = (signal: AbortSignal): Promise<Schemas['CheckGroup'][]> =>
  allPages(async (page) => {
    const query = { page, page_size: PAGE_SIZE };
    const { groups, pagination } = await call('GET /v1/check-groups', { query }, { signal });
    return { items: groups, hasNext: pagination.has_next };
  });

export const allSecrets = (signal: AbortSignal): Promise<Schemas['Secret'][]> => {
  let first: string | undefined;
  return allPages(async (page) => {
    // The request excludes secrets created after the first page was read, because they would shift the items to other
    // pages.
    const query = { page, page_size: PAGE_SIZE, ...(first !== undefined && { created_until: `${first}Z` }) };
    const { secrets, pagination } = await call('GET /v1/secrets', { query }, { signal });
    first ??= secrets[0]?.created_at;
    return { items: secrets, hasNext: pagination.has_next };
  });
};

const shortestOf = async (signal: AbortSignal): Promise<number | null> =>
  may('GET /v1/usage') ? (await call('GET /v1/usage', {}, { signal })).shortest_interval : null;

export const loadChoices = async (signal: AbortSignal): Promise<Choices> => {
  const [{ regions }, groups, channels, secrets, shortest] = await Promise.all([
    call('GET /v1/checks/get-regions', {}, { signal }),
    allGroups(signal),
    call('GET /v1/alerts/channels', {}, { signal }),
    allSecrets(signal),
    shortestOf(signal),
  ]);
  return { regions, groups, channels, secrets, shortest };
};

/** Returns whether a region currently supports a check type. */
export const canRun = ({ available_check_types }: Schemas['Region'], type: CheckTypeName): boolean =>
  available_check_types.includes(type);

/** Returns the region that has the name as its id or as an alias. */
export const regionNamed = (regions: readonly Schemas['Region'][], name: string): Schemas['Region'] | undefined =>
  regions.find(({ id, aliases }) => id === name || aliases.includes(name));
