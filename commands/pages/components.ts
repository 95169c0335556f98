import { IllegalState } from '../../domain/errors.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import * as decide from '../../domain/page/components.ts';
import * as holds from '../../domain/page/held-statuses.ts';
import { pageDecider } from '../../domain/page/state.ts';
import { AppendTooLarge } from '../../stores/event-store/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { afterStatuses } from './component-status-times.ts';
import { isCheckOfOrganization } from '../checks/own-check.ts';

const TOO_MANY_LEFT =
  'The group has too many components to be removed in one request. First remove some of them or set their group_id to null.';

/** The body of a request that creates a component or a group. */
export type NewComponent = decide.ComponentInput & { name: string };

/** Tests whether the check in the input belongs to the caller's organization. True if the input has no check. */
const hasOwnCheck = async (
  dependencies: CommandDependencies,
  { check_id }: decide.ComponentInput,
  context: CommandContext,
): Promise<boolean> => typeof check_id !== 'string' || isCheckOfOrganization(dependencies, check_id, context);

/** Adds a component to a page, or a group if `group` is true. @returns its id @throws NotFound, Invalid */
export const addComponent =
  (dependencies: CommandDependencies) =>
  async (pageId: string, input: NewComponent, context: CommandContext): Promise<string> => {
    const id = context.newId();
    const hasCheck = await hasOwnCheck(dependencies, input, context);
    await dependencies.handle(
      pageId,
      pageDecider,
      (page) => decide.addComponent(page, id, input, context.now, hasCheck),
      context,
    );
    return id;
  };

/**
 * Changes a component or group. Absent fields keep their value. `shown` is the component's status in the read model,
 * which includes the effect of incidents, or null if the status is unknown.
 *
 * @throws NotFound, Invalid
 */
export const updateComponent =
  (dependencies: CommandDependencies) =>
  async (
    pageId: string,
    componentId: string,
    input: decide.ComponentInput,
    shown: decide.DisplayedStatus | null,
    context: CommandContext,
  ): Promise<void> => {
    const hasCheck = await hasOwnCheck(dependencies, input, context);
    const after = await afterStatuses(dependencies, pageId, [componentId], context);
    await dependencies.handle(
      pageId,
      pageDecider,
      (page) => decide.updateComponent(page, componentId, input, shown, after.now, hasCheck),
      after,
    );
  };

/** A component, and the alert that sets its status. */
export interface HeldComponentInput {
  page_id: string;
  component_id: string;
  /** id of the alert */
  holder: string;
}

/** Sets a component to a status until the hold is released. @throws NotFound, IllegalState */
export const holdComponent =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    { page_id, component_id, holder, status }: HeldComponentInput & { status: ComponentStatus },
    context: CommandContext,
  ): Promise<void> => {
    await handle(
      page_id,
      pageDecider,
      (page) => holds.holdComponent(page, component_id, holder, status, context.now),
      context,
    );
  };

/** Releases the hold on a component, if it has one. @throws NotFound if the page belongs to another organization */
export const releaseComponent =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async ({ page_id, component_id, holder }: HeldComponentInput, context: CommandContext): Promise<void> => {
    await handle(
      page_id,
      pageDecider,
      (page) => holds.releaseComponent(page, component_id, holder, context.now),
      context,
    );
  };

/**
 * Removes a component or a group. The components of a removed group remain, but no longer have a group.
 *
 * @throws NotFound
 * @throws IllegalState if the group has too many components to remove it in one append
 */
export const removeComponent =
  ({ handle }: CommandDependencies) =>
  async (pageId: string, componentId: string, context: CommandContext): Promise<void> => {
    try {
      await handle(pageId, pageDecider, (page) => decide.removeComponent(page, componentId, context.now), context);
    } catch (error) {
      throw error instanceof AppendTooLarge ? new IllegalState(TOO_MANY_LEFT) : error;
    }
  };
