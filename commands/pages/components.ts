import { IllegalState } from '../../domain/errors.ts';
import type { ComponentStatus } from '../../domain/page/component-status.ts';
import * as decide from '../../domain/page/components.ts';
import * as holds from '../../domain/page/holds.ts';
import { pageDecider } from '../../domain/page/state.ts';
import { AppendTooLarge } from '../../stores/event-store/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { afterStatuses } from './status-times.ts';
import { isOwnCheck } from '../checks/named-check.ts';

const TOO_MANY_LEFT =
  'The group has too many components to be removed at once. Remove some of them, or set their group_id to null, first.';

/** A new component or group as a caller sends it. */
export type NewComponent = decide.ComponentInput & { name: string };

/** Whether the check that an input names, if it names one, can be named. */
const watchable = async (
  dependencies: CommandDependencies,
  { check_id }: decide.ComponentInput,
  context: CommandContext,
): Promise<boolean> => typeof check_id !== 'string' || isOwnCheck(dependencies, check_id, context);

/** Adds a component to a page, or a group where `group` is true. @returns its id @throws NotFound, Invalid */
export const addComponent =
  (dependencies: CommandDependencies) =>
  async (pageId: string, input: NewComponent, context: CommandContext): Promise<string> => {
    const id = context.newId();
    const hasCheck = await watchable(dependencies, input, context);
    await dependencies.handle(
      pageId,
      pageDecider,
      (page) => decide.addComponent(page, id, input, context.now, hasCheck),
      context,
    );
    return id;
  };

/**
 * Changes a component or group; fields that are absent stay. `shown` is the status in the read model, which includes
 * what incidents have set; null when it is unknown.
 *
 * @throws NotFound, Invalid
 */
export const updateComponent =
  (dependencies: CommandDependencies) =>
  async (
    pageId: string,
    componentId: string,
    input: decide.ComponentInput,
    shown: decide.ShownStatus | null,
    context: CommandContext,
  ): Promise<void> => {
    const hasCheck = await watchable(dependencies, input, context);
    const after = await afterStatuses(dependencies, pageId, [componentId], context);
    await dependencies.handle(
      pageId,
      pageDecider,
      (page) => decide.updateComponent(page, componentId, input, shown, after.now, hasCheck),
      after,
    );
  };

/** A component, and what holds it. */
export interface Holding {
  page_id: string;
  component_id: string;
  /** id of the alert */
  holder: string;
}

/** Holds a component in a status until its holder lets go. @throws NotFound, IllegalState */
export const holdComponent =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (
    { page_id, component_id, holder, status }: Holding & { status: ComponentStatus },
    context: CommandContext,
  ): Promise<void> => {
    await handle(
      page_id,
      pageDecider,
      (page) => holds.holdComponent(page, component_id, holder, status, context.now),
      context,
    );
  };

/** Lets go of a component; nothing happens where it is not held. @throws NotFound the page is another organization's */
export const releaseComponent =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async ({ page_id, component_id, holder }: Holding, context: CommandContext): Promise<void> => {
    await handle(
      page_id,
      pageDecider,
      (page) => holds.releaseComponent(page, component_id, holder, context.now),
      context,
    );
  };

/**
 * Removes a component, or a group, whose components then belong to none.
 *
 * @throws NotFound
 * @throws IllegalState the group has so many components that they can't leave it in one append
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
