import * as decide from '../../domain/check/decide.ts';
import { endedBindings } from '../../domain/check/released-bindings.ts';
import { tagsAfter } from '../../domain/tags.ts';
import * as park from '../../domain/check/parking.ts';
import type { CrashedProbeProcesses } from '../../domain/check/parking.ts';
import { requireComplete, requireRunnable } from '../../domain/check/definition.ts';
import type { CheckEvent, CheckTypeName, SecretBinding } from '../../domain/check/events.ts';
import { checkKey } from '../../domain/check/sealing.ts';
import { restorable, restoreCheck as decideRestore } from '../../domain/check/restore.ts';
import * as bind from '../../domain/check/secrets.ts';
import {
  checkDecider,
  existing,
  isLive,
  NO_GROUP,
  type Check,
  type CheckSettings,
  type GroupPlacement,
} from '../../domain/check/state.ts';
import type { ServedRegions } from '../../domain/check/missing-runners.ts';
import type { BindingInput } from '../../domain/secret/input.ts';
import type { Instant } from '../../domain/time.ts';
import { restorationClaim } from '../reservations/quotas.ts';
import { requireGroup } from './check-groups.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { sealParameters } from './sealing.ts';

/**
 * Creates a check.
 *
 * @param place the group and the position in it; default: no group
 * @param secrets bindings to secrets; default: none
 * @param mutedUntil end of the mute of the check's alerts; default: not muted
 * @returns its id
 * @throws Invalid if the definition lacks a required field, or the group or a secret does not exist
 * @throws IllegalState if no live runner can run the check
 * @throws Forbidden if the plan allows no more checks, or no interval this short
 */
export const createCheck =
  ({ handle, keys, runners, quotas, secretClaims }: CommandDependencies) =>
  (
    input: decide.NewCheck,
    context: CommandContext,
    place: GroupPlacement = NO_GROUP,
    secrets: readonly BindingInput[] = [],
    mutedUntil: Instant | null = null,
  ): Promise<string> =>
    quotas.taking('checks', context, async (take) => {
      const id = context.newId();
      const bindings = secretClaims.claiming(id, context);
      await handle(
        id,
        checkDecider,
        async (check) => {
          requireComplete(input.type, input);
          await requireGroup({ handle }, place.group_id, context);
          await requireRunnable(input.type, input.parameters, runners, context.organizationId);
          await quotas.requireInterval(input.interval, context);
          const bound: SecretBinding[] = [];
          if (check.status === 'absent') {
            await take(id);
            bound.push(...(await bindings(check, secrets, (n) => `secrets.${n}.secret_id`)));
          }
          const parameters = await sealParameters(
            keys,
            { organizationId: context.organizationId, key: checkKey(id), type: input.type },
            input.parameters,
          );
          return [
            decide.createCheck(check, id, context.organizationId, { ...input, parameters }, place, bound),
            ...decide.muteNewCheck(id, mutedUntil, context.now),
          ];
        },
        context,
      );
      return id;
    });

export interface CheckChanges extends Partial<CheckSettings> {
  /** If present, must equal the type of the check. */
  type?: CheckTypeName;
  /** tags to add, and tags to remove */
  addTags?: readonly string[];
  removeTags?: readonly string[];
  /** Replaces the regions, and keeps the other parameters. Must not be combined with `parameters`. */
  regions?: readonly string[];
}

/** Relations that change together with the settings. Absent relations stay unchanged. */
export interface ChangedRelations {
  /** the new group */
  place?: GroupPlacement;
  /** replaces all bindings */
  secrets?: readonly BindingInput[];
  /** End of the mute of the check's alerts. Null to unmute the alerts. */
  mutedUntil?: Instant | null;
}

/**
 * Changes the settings, group, secrets and mute of a check in one transaction.
 *
 * @throws NotFound, IllegalState
 * @throws Forbidden if the plan allows no interval this short
 * @throws Invalid also if the group or a secret does not exist
 */
export const updateCheck =
  (dependencies: CommandDependencies) =>
  async (
    checkId: string,
    changes: CheckChanges,
    context: CommandContext,
    { place, secrets, mutedUntil }: ChangedRelations = {},
  ): Promise<void> => {
    const { handle, secretClaims } = dependencies;
    const bindings = secretClaims.claiming(checkId, context);
    let ended: SecretBinding[] = [];
    await handle(
      checkId,
      checkDecider,
      async (check) => {
        const changed = await changedSettings(dependencies, check, changes, context);
        if (place) await requireGroup({ handle }, place.group_id, context);
        const moved = place ? decide.groupCheck(check, place) : [];
        const muted = mutedUntil === undefined ? [] : decide.muteCheck(check, mutedUntil, context.now);
        if (!secrets) return [...changed, ...moved, ...muted];
        const after = await bindings(check, secrets, (n) => `secrets.${n}.secret_id`);
        ended = endedBindings(existing(check).secrets, after);
        return [...changed, ...moved, ...muted, ...bind.replaceSecrets(check, after)];
      },
      context,
    );
    await secretClaims.release(checkId, ended, context);
  };

/** Returns the events that change the settings, decided from the current state of the check. */
const changedSettings = async (
  { keys, runners, quotas }: CommandDependencies,
  check: Check,
  { type, regions, addTags, removeTags, ...others }: CheckChanges,
  context: CommandContext,
): Promise<CheckEvent[]> => {
  const live = existing(check);
  const changes = {
    ...others,
    ...(regions && { parameters: { ...live.settings.parameters, regions } }),
    ...((addTags ?? removeTags) && { tags: tagsAfter(live.settings.tags, addTags, removeTags) }),
  };
  // Refuse a different type before its validation rules are applied.
  if (type !== undefined && type !== live.type) return decide.updateCheck(check, {}, type);
  requireComplete(live.type, decide.settingsAfter(live, changes));
  if (changes.parameters) await requireRunnable(live.type, changes.parameters, runners, context.organizationId);
  const { interval = live.settings.interval } = changes;
  if (interval !== live.settings.interval) await quotas.requireInterval(interval, context);
  // Without new parameters, sealed texts remain unchanged.
  if (!changes.parameters || regions) return decide.updateCheck(check, changes, type);
  const owner = { organizationId: context.organizationId, key: checkKey(live.id), type: live.type };
  const parameters = await sealParameters(keys, owner, changes.parameters, live.settings.parameters);
  return decide.updateCheck(check, { ...changes, parameters }, type);
};

/** Deletes a check. @throws NotFound if the check does not exist or was already deleted */
export const deleteCheck =
  ({ handle, secretClaims }: CommandDependencies) =>
  async (checkId: string, context: CommandContext): Promise<void> => {
    let bound: readonly SecretBinding[] = [];
    await handle(
      checkId,
      checkDecider,
      (check) => {
        bound = isLive(check) ? check.secrets : [];
        return decide.deleteCheck(check, context.now);
      },
      context,
    );
    await secretClaims.release(checkId, bound, context);
  };

/**
 * Undoes the deletion of a check. The check has the same id, definition, group, alert rules and components as before,
 * and its results are shown again. Bindings to deleted secrets are dropped. Does nothing if the check is not deleted.
 *
 * @throws NotFound if the check never existed, or was deleted too long ago
 * @throws Forbidden if the plan allows no more checks
 */
export const restoreCheck =
  ({ handle, quotas, secretClaims }: CommandDependencies) =>
  (checkId: string, context: CommandContext): Promise<void> =>
    quotas.taking('checks', context, async (take) => {
      const bindings = secretClaims.restoring(checkId, context);
      await handle(
        checkId,
        checkDecider,
        async (check) => {
          if (isLive(check)) return [];
          const deleted = restorable(check, context.now);
          await take(restorationClaim(checkId));
          return decideRestore(check, context.organizationId, await bindings(deleted), context.now);
        },
        context,
      );
    });

/**
 * Parks a check whose runs have crashed their process twice. Does nothing if the check has been changed or deleted
 * since those runs.
 */
export const parkCheck =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (checkId: string, ended: CrashedProbeProcesses, context: CommandContext): Promise<void> => {
    await handle(checkId, checkDecider, (check) => park.parkCheck(check, ended), context);
  };

/** Releases a parked check, so that it runs again. @throws NotFound, IllegalState */
export const releaseCheck =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (checkId: string, context: CommandContext): Promise<void> => {
    await handle(checkId, checkDecider, park.releaseCheck, context);
  };

/** Returns the default region, and the check types that live runners can currently run in each region. */
export const servedRegions =
  ({ runners }: Pick<CommandDependencies, 'runners'>) =>
  async (): Promise<ServedRegions> => ({ defaultRegion: runners.defaultRegion, abilities: await runners.abilities() });
