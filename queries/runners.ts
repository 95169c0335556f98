import { requireFound } from '../domain/existence.ts';
import { runners, type RunnerDocument } from '../projections/runners/projection.ts';
import type { Read } from '../projections/readers.ts';
import type { ReadScope } from './engine/scope.ts';

/** Lists the runners of the organization, including revoked ones, newest first. An organization has few runners. */
export const listRunners = ({ read, organizationId }: ReadScope): Promise<RunnerDocument[]> =>
  read(runners).runners.find({ where: { organization_id: organizationId }, sort: { created_at: -1 } });

/** All runners of the service, including revoked ones, newest first. */
export const listAllRunners = ({ read }: { read: Read }): Promise<RunnerDocument[]> =>
  read(runners).runners.find({ sort: { created_at: -1 } });

/** A runner of any organization. @throws NotFound */
export const findRunner = async ({ read }: { read: Read }, id: string): Promise<RunnerDocument> =>
  requireFound(await read(runners).runners.get(id), 'runner');

/** A runner of the organization. @throws NotFound */
export const findOwnRunner = async ({ read, organizationId }: ReadScope, id: string): Promise<RunnerDocument> => {
  const runner = await read(runners).runners.get(id);
  return requireFound(runner?.organization_id === organizationId ? runner : null, 'runner');
};

/** A region that only one organization can use. */
export interface PrivateLocation {
  /** id of the region */
  id: string;
  /** Name of the oldest runner in the location that is not revoked. */
  name: string;
}

/** Returns the private locations of runners that are not revoked, oldest first. */
export const privateLocationsAmong = (
  all: readonly Pick<RunnerDocument, 'id' | 'region' | 'private' | 'name' | 'created_at' | 'revoked_at'>[],
): PrivateLocation[] => {
  const live = all
    .filter((runner) => runner.private && runner.revoked_at === null)
    .sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  const names = new Map<string, string>();
  for (const { region, name } of live) if (!names.has(region)) names.set(region, name);
  return [...names].map(([id, name]) => ({ id, name }));
};

/** Lists the private locations of the organization. A location needs at least one runner that is not revoked. */
export const listPrivateLocations = async (scope: ReadScope): Promise<PrivateLocation[]> =>
  privateLocationsAmong(await listRunners(scope));
