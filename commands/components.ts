import * as decide from '../domain/page/components.ts';
import { pageDecider } from '../domain/page/state.ts';
import type { CommandContext } from './context.ts';
import type { CommandDependencies } from './dependencies.ts';

/** A new component or group as a caller sends it. */
export type NewComponent = decide.ComponentInput & { name: string };

/** Adds a component to a page, or a group where `group` is true. @returns its id @throws NotFound, Invalid */
export const addComponent =
  ({ handle }: CommandDependencies) =>
  async (pageId: string, input: NewComponent, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(pageId, pageDecider, (page) => decide.addComponent(page, id, input, context.now), context);
    return id;
  };

/**
 * Changes a component or group; fields that are absent stay. `shown` is the status in the read model, which includes
 * what incidents have set; null when it is unknown.
 *
 * @throws NotFound, Invalid
 */
export const updateComponent =
  ({ handle }: CommandDependencies) =>
  async (
    pageId: string,
    componentId: string,
    input: decide.ComponentInput,
    shown: decide.ShownStatus | null,
    context: CommandContext,
  ): Promise<void> => {
    await handle(
      pageId,
      pageDecider,
      (page) => decide.updateComponent(page, componentId, input, shown, context.now),
      context,
    );
  };

/** Removes a component, or a group, whose components then belong to none. @throws NotFound */
export const removeComponent =
  ({ handle }: CommandDependencies) =>
  async (pageId: string, componentId: string, context: CommandContext): Promise<void> => {
    await handle(pageId, pageDecider, (page) => decide.removeComponent(page, componentId, context.now), context);
  };
