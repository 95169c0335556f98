import type { CommandDependencies } from './dependencies.ts';

/** All commands, bound to their dependencies, by the file that holds them. */
export const createCommands = (_dependencies: CommandDependencies) => ({});

export type Commands = ReturnType<typeof createCommands>;
