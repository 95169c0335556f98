import * as decide from '../../domain/check-group/check-group.ts';
import type { CheckGroupFields } from '../../domain/check-group/events.ts';
import { groupCheck as decideGroupCheck } from '../../domain/check/decide.ts';
import { checkDecider, type GroupPlacement } from '../../domain/check/state.ts';
import { Invalid } from '../../domain/errors.ts';
import { isExisting } from '../../domain/existence.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { findOwn } from '../engine/organization-stream.ts';

/** Creates a group. @param end position for the new group, after all others @returns its id */
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

/** Changes a group. Absent fields keep their value. @throws NotFound */
export const updateCheckGroup =
  ({ handle }: CommandDependencies) =>
  async (groupId: string, input: Partial<CheckGroupFields>, context: CommandContext): Promise<void> => {
    await handle(groupId, decide.checkGroupDecider, (group) => decide.updateCheckGroup(group, input), context);
  };

/** Deletes a group. Its checks remain, without a group. @throws NotFound */
export const deleteCheckGroup =
  ({ handle }: CommandDependencies) =>
  async (groupId: string, context: CommandContext): Promise<void> => {
    await handle(groupId, decide.checkGroupDecider, decide.deleteCheckGroup, context);
  };

/** The error for a group that does not exist or belongs to another organization. */
export const NO_SUCH_GROUP = 'There is no such check group.';

/**
 * Requires that a group exists. If the group is deleted concurrently, the check might still be added to it. The check
 * then has no group, like all checks of the deleted group.
 *
 * @throws Invalid if the organization has no such group
 */
export const requireGroup = async (
  dependencies: Pick<CommandDependencies, 'handle'>,
  groupId: string | null,
  context: CommandContext,
): Promise<void> => {
  if (groupId === null) return;
  const group = await findOwn(dependencies, groupId, decide.checkGroupDecider, context);
  if (!group || !isExisting(group)) throw Invalid.field('group_id', NO_SUCH_GROUP);
};

/**
 * Moves a check into a group, or out of its group.
 *
 * @throws NotFound if there is no such check
 * @throws Invalid if there is no such group
 */
export const groupCheck =
  ({ handle }: CommandDependencies) =>
  async (checkId: string, place: GroupPlacement, context: CommandContext): Promise<void> => {
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
