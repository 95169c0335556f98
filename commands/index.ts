import type { CommandDependencies } from './dependencies.ts';
import { createPageNames } from './page-names.ts';

/** What commands are bound to. Callers name the command's function: `commands.ask(createPage)(input, context)`. */
export interface Commands {
  ask: <C>(command: (dependencies: CommandDependencies) => C) => C;
}

export const createCommands = (dependencies: Omit<CommandDependencies, 'pageNames'>): Commands => {
  const bound = { ...dependencies, pageNames: createPageNames(dependencies.handle) };
  return { ask: (command) => command(bound) };
};
