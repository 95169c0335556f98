import * as decide from '../../domain/check-group/check-group.ts';
import type { CheckGroupFields } from '../../domain/check-group/events.ts';
import { groupCheck as decideGroupCheck } from '../../domain/check/decide.ts';
import { checkDecider, type Place } from '../../domain/check/state.ts';
import { Invalid } from '../../domain/errors.ts';
import { isThere } from '../../domain/lifecycle.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { findOwn } from '../engine/find-own.ts';

/** Makes a group. @param end the position after the last one. @returns its id */
export const createCheckGroup =
  ({ handle }: CommandDependencies) =>
  async (input: decide.NewCheckGroup, end: number, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(
      id,
      decide.checkGroupDecider,
      (group) => decide.createCheckGroup(group, id, context.organizationId, input, end),
      context,
    );
    return id;
  };

/** Changes a group; fields that are absent stay. @throws NotFound */
export const updateCheckGroup =
  ({ handle }: CommandDependencies) =>
  async (groupId: string, input: Partial<CheckGroupFields>, context: CommandContext): Promise<void> => {
    await handle(groupId, decide.checkGroupDecider, (group) => decide.updateCheckGroup(group, input), context);
  };

/** Deletes a group; its checks stay, in no group. @throws NotFound */
export const deleteCheckGroup =
  ({ handle }: CommandDependencies) =>
  async (groupId: string, context: CommandContext): Promise<void> => {
    await handle(groupId, decide.checkGroupDecider, decide.deleteCheckGroup, context);
  };

/** What is said of a group that is not there, or another organization's. */
export const NO_SUCH_GROUP = 'There is no such check group.';

/**
 * A group that is deleted at the same moment may still take a check in: it then is in no group, as the others of it.
 *
 * @throws Invalid there is no such group in the organization
 */
export const requireGroup = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  groupId: string | null,
  context: CommandContext,
): Promise<void> => {
  if (groupId === null) return;
  const group = await findOwn(dependencies, groupId, decide.checkGroupDecider, context);
  if (!group || !isThere(group)) throw Invalid.field('group_id', NO_SUCH_GROUP);
};

/** Puts a check into a group, or into none. @throws NotFound no such check. @throws Invalid no such group */
export const groupCheck =
  ({ handle }: CommandDependencies) =>
  async (checkId: string, place: Place, context: CommandContext): Promise<void> => {
    await handle(
      checkId,
      checkDecider,
      async (check) => {
        await requireGroup({ handle }, place.group_id, context);
        return decideGroupCheck(check, place);
      },
      context,
    );
  };
