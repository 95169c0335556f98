import { createCheck, deleteCheck, updateCheck } from './checks.ts';
import type { CommandDependencies } from './dependencies.ts';

/** All commands, bound to their dependencies, by the file that holds them. */
export const createCommands = (dependencies: CommandDependencies) => ({
  checks: {
    create: createCheck(dependencies),
    update: updateCheck(dependencies),
    remove: deleteCheck(dependencies),
  },
});

export type Commands = ReturnType<typeof createCommands>;
