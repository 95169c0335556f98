import { randomBytes } from 'node:crypto';
import { isPrivate, privateRegion, type LiveRunners, type Region } from '../domain/check/regions.ts';
import { Forbidden, IllegalState } from '../domain/errors.ts';
import { noSuchRegion } from '../domain/check/definition.ts';
import { createKeyedMutex } from '../domain/concurrency/mutex.ts';
import * as decide from '../domain/runner/decide.ts';
import type { RunnerPresence } from '../domain/runner/presence.ts';
import { existing, runnerDecider } from '../domain/runner/state.ts';
import { hashOfRunnerToken } from '../domain/runner/token.ts';
import { stepContext, type CommandContext } from './engine/context.ts';
import type { CommandDependencies } from './dependencies.ts';

type Dependencies = Pick<CommandDependencies, 'handle'>;

const TOKEN_BYTES = 32;

/** Creates a runner token: `upr_` and 256 random bits, encoded in characters that shells and URLs need not quote. */
export const randomRunnerToken = (): string => `upr_${randomBytes(TOKEN_BYTES).toString('base64url')}`;

/** Serialises the creation of runners per organization, so that each runner is counted before the next is created. */
const inTurn = createKeyedMutex();

export interface RunnerInput {
  name: string;
  /** Region of the runner. Null for a new private location of the context's organization. */
  region: Region | null;
}

/** A token that is shown once. Null for a repeated command, because only the hash of the token is stored. */
type ShownOnce = string | null;

/**
 * Creates a runner.
 *
 * @param operates whether the caller is an operator of the service; only operators are allowed to use public regions
 * @returns its id and its token
 * @throws Invalid if the name is invalid
 * @throws IllegalState if the region is a private location that the organization does not have
 * @throws Forbidden if the region is public and the caller is no operator, or {@link decide.MAX_RUNNERS} exist
 */
export const createRunner =
  ({ handle, runners }: Pick<CommandDependencies, 'handle'> & { runners: Pick<LiveRunners, 'registered'> }) =>
  (
    { name, region: given }: RunnerInput,
    operates: boolean,
    context: CommandContext,
  ): Promise<{ id: string; token: ShownOnce }> =>
    inTurn(context.organizationId, async () => {
      const id = context.newId();
      const region = given ?? privateRegion(id);
      if (!isPrivate(region) && !operates) {
        throw new Forbidden('Only admins of the first organization of the service may create runners of this region.');
      }
      const token = randomRunnerToken();
      const tokenHash = hashOfRunnerToken(token);
      const made = { id, name, region: region.id, private: isPrivate(region), tokenHash };
      const { events } = await handle(
        id,
        runnerDecider,
        async (state) => {
          const registered = (await runners.registered?.(context.organizationId)) ?? [];
          if (given && isPrivate(given) && !registered.some((other) => other.region === given.id)) {
            throw noSuchRegion(given.id);
          }
          if (registered.length >= decide.MAX_RUNNERS) {
            throw new Forbidden(
              `An organization can have at most ${decide.MAX_RUNNERS} runners. Revoke one that is not needed.`,
            );
          }
          return decide.createRunner(state, made);
        },
        context,
      );
      return { id, token: isStored(events, tokenHash) ? token : null };
    });

/** Tests whether one of the events contains the hash of this token. */
const isStored = (events: readonly { data: object }[], tokenHash: string): boolean =>
  events.some(({ data }) => 'token_hash' in data && data.token_hash === tokenHash);

/** Renames a runner. @throws NotFound, Invalid */
export const renameRunner =
  ({ handle }: Dependencies) =>
  async (id: string, name: string, context: CommandContext): Promise<void> => {
    await handle(id, runnerDecider, (runner) => decide.renameRunner(runner, name), context);
  };

/**
 * Issues a new token for a runner. The previous token remains valid until the new one is used, for at most a day.
 *
 * @returns the token
 * @throws NotFound if the runner does not exist or is revoked
 */
export const rotateRunner =
  ({ handle }: Dependencies) =>
  async (id: string, context: CommandContext): Promise<ShownOnce> => {
    const token = randomRunnerToken();
    const tokenHash = hashOfRunnerToken(token);
    const { events } = await handle(
      id,
      runnerDecider,
      (runner) => decide.rotateToken(runner, tokenHash, context.now),
      context,
    );
    return isStored(events, tokenHash) ? token : null;
  };

/** Revokes a runner and its tokens permanently. @throws NotFound if the runner does not exist or is revoked */
export const revokeRunner =
  ({ handle }: Dependencies) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, runnerDecider, decide.revokeRunner, context);
  };

/**
 * Returns a region to the built-in runner.
 *
 * @param ids all runners of the region that are not released yet; they must belong to the context's organization
 * @param revoke whether to revoke active runners first
 * @throws NotFound
 * @throws IllegalState if a runner is not revoked; in this case no runner is released
 */
export const releaseRegion =
  ({ handle }: Dependencies) =>
  async (ids: readonly string[], { revoke }: { revoke: boolean }, context: CommandContext): Promise<void> => {
    const runners = await Promise.all(ids.map((id) => handle.load(id, runnerDecider, context)));
    const live = runners.map(existing).filter(({ status }) => status === 'live');
    if (live.length > 0 && !revoke) {
      const names = live.map(({ id, name }) => `"${name}" (${id})`).join(', ');
      throw new IllegalState(`The region has runners that are not revoked: ${names}. Revoke them first.`);
    }
    for (const { id } of live)
      await handle(id, runnerDecider, decide.revokeRunner, stepContext(context, `revoke ${id}`));
    for (const id of ids) {
      await handle(id, runnerDecider, decide.releaseRunner, stepContext(context, `release ${id}`));
    }
  };

/*
 * The following commands record connections of runners. The service issues them itself, with a reactorContext of the
 * runner's organization and the sealed address of the runner.
 */

/**
 * Records that a process of a runner is connected, unless this is already recorded.
 *
 * @throws NotFound if the runner does not exist or is revoked
 */
export const recordRunnerConnection =
  ({ handle }: Dependencies) =>
  async (id: string, connecting: decide.ConnectingProcess, context: CommandContext): Promise<void> => {
    await handle(id, runnerDecider, (runner) => decide.connect(runner, connecting), context);
  };

/** Records that a process is no longer connected, unless this is already recorded. @throws NotFound */
export const recordRunnerDisconnection =
  ({ handle }: Dependencies) =>
  async (id: string, instance: string, reason: decide.ConnectionEnd, context: CommandContext): Promise<void> => {
    await handle(id, runnerDecider, (runner) => decide.disconnect(runner, instance, reason), context);
  };

/**
 * Records the first use of the current token, which invalidates the previous one. Does nothing if there is no previous
 * token.
 *
 * @param tokenHash SHA-256 of the token in hexadecimal
 * @throws NotFound
 */
export const confirmToken =
  ({ handle }: Dependencies) =>
  async (id: string, tokenHash: string, context: CommandContext): Promise<void> => {
    await handle(id, runnerDecider, (runner) => decide.confirmToken(runner, tokenHash), context);
  };

/** Returns the currently connected processes of remote runners. */
export const runnerPresences =
  ({ runners }: Pick<CommandDependencies, 'runners'>) =>
  async (): Promise<readonly RunnerPresence[]> =>
    (await runners.presences?.()) ?? [];

/** The runners that currently run checks. */
export interface ServingRunners {
  /** The check types that at least one runner of a region can run, by region id. */
  abilities: Awaited<ReturnType<LiveRunners['abilities']>>;
  /** Returns the number of runners in a region, including processes of the service. */
  runnersIn: (region: string) => number;
}

export const servingRunners =
  ({ runners }: Pick<CommandDependencies, 'runners'>) =>
  async (): Promise<ServingRunners> => {
    const [abilities, presences, processes] = await Promise.all([
      runners.abilities(),
      runners.presences?.() ?? [],
      runners.processes?.() ?? null,
    ]);
    const remote = (id: string): number => presences.filter(({ region }) => region === id).length;
    const local = (id: string): number => {
      if (processes) return processes.get(id) ?? 0;
      return remote(id) === 0 && abilities.has(id) ? 1 : 0;
    };
    return { abilities, runnersIn: (id) => remote(id) + local(id) };
  };
