import * as decide from '../../domain/heartbeat/decide.ts';
import type { HeartbeatFields } from '../../domain/heartbeat/events.ts';
import { heartbeatDecider } from '../../domain/heartbeat/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** Creates a heartbeat. @returns its id @throws Invalid */
export const createHeartbeat =
  ({ handle }: CommandDependencies) =>
  async (input: decide.NewHeartbeat, context: CommandContext): Promise<string> => {
    const id = context.newId();
    await handle(id, heartbeatDecider, (state) => decide.createHeartbeat(state, id, input, context.now), context);
    return id;
  };

/** Changes a heartbeat. Absent fields keep their value. @throws NotFound, Invalid */
export const updateHeartbeat =
  ({ handle }: CommandDependencies) =>
  async (id: string, input: Partial<HeartbeatFields>, context: CommandContext): Promise<void> => {
    await handle(id, heartbeatDecider, (state) => decide.updateHeartbeat(state, input, context.now), context);
  };

/** Deletes a heartbeat. @throws NotFound */
export const deleteHeartbeat =
  ({ handle }: CommandDependencies) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, heartbeatDecider, (state) => decide.deleteHeartbeat(state, context.now), context);
  };

/** Adds alert channels to a heartbeat. @throws NotFound, Invalid */
export const addHeartbeatChannels =
  ({ handle }: CommandDependencies) =>
  async (id: string, channelIds: readonly string[], context: CommandContext): Promise<void> => {
    await handle(id, heartbeatDecider, (state) => decide.addChannels(state, channelIds, context.now), context);
  };

/** Removes an alert channel from a heartbeat. @throws NotFound */
export const removeHeartbeatChannel =
  ({ handle }: CommandDependencies) =>
  async (id: string, channelId: string, context: CommandContext): Promise<void> => {
    await handle(id, heartbeatDecider, (state) => decide.removeChannel(state, channelId, context.now), context);
  };
