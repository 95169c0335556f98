import { found } from '../domain/lifecycle.ts';
import { runners, type RunnerDocument } from '../projections/runners/projection.ts';
import type { Read } from '../projections/readers.ts';
import type { Reading, Scope } from './engine/scope.ts';

/** A runner that a token belongs to. */
export interface RunnerByToken {
  runner: RunnerDocument;
  /** whether the token was rotated: it works for a while only */
  isFormer: boolean;
}

/**
 * The runner that a token belongs to now.
 *
 * @param hash SHA-256 of the token, hexadecimal
 * @returns null: the token is unknown or void, or the runner is revoked
 */
export const runnerByToken = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  hash: string,
): Promise<RunnerByToken | null> => {
  const model = read(runners);
  const token = await model.runner_tokens.get(hash);
  const runner = token && (await model.runners.get(token.runner_id));
  if (!runner || runner.revoked_at !== null) return null;
  if (runner.token_hash === hash) return { runner, isFormer: false };
  const { former_token } = runner;
  return former_token?.hash === hash && now < former_token.until ? { runner, isFormer: true } : null;
};

/** The runners of the organization, revoked ones included, newest first; it has few. */
export const runnersOf = ({ read, organizationId }: Reading): Promise<RunnerDocument[]> =>
  read(runners).runners.find({ where: { organization_id: organizationId }, sort: { created_at: -1 } });

/** All runners of the service, revoked ones included, newest first. */
export const everyRunner = ({ read }: { read: Read }): Promise<RunnerDocument[]> =>
  read(runners).runners.find({ sort: { created_at: -1 } });

/** A runner of any organization. @throws NotFound */
export const findRunner = async ({ read }: { read: Read }, id: string): Promise<RunnerDocument> =>
  found(await read(runners).runners.get(id), 'runner');

/** A runner of the organization. @throws NotFound */
export const findOwnRunner = async ({ read, organizationId }: Reading, id: string): Promise<RunnerDocument> => {
  const runner = await read(runners).runners.get(id);
  return found(runner?.organization_id === organizationId ? runner : null, 'runner');
};

/**
 * Ids of the regions that the built-in runner leaves alone: public ones with a runner that was not released, and all
 * private locations. A region stays remote when its runners are revoked, until it is released.
 */
export const remoteRegions = async ({ read }: { read: Read }): Promise<ReadonlySet<string>> => {
  const remote = await read(runners).runners.pick(['region'], { where: { released: false } });
  return new Set(remote.map(({ region }) => region));
};

/** A region of an organization alone. */
export interface PrivateLocation {
  /** id of the region */
  id: string;
  /** what the runner is called with which it began; if that is revoked, the oldest one that is not */
  name: string;
}

/** The private locations of runners that are not revoked, the oldest first. */
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

/** The private locations of the organization that have a runner which is not revoked. */
export const privateLocationsOf = async (scope: Reading): Promise<PrivateLocation[]> =>
  privateLocationsAmong(await runnersOf(scope));
