import { randomUUID } from 'node:crypto';
import { commandContext, type CommandContext } from '../commands/engine/context.ts';
import { systemActor } from '../domain/system-event.ts';
import { instantOf } from '../domain/time.ts';

/** Id of the actor for commands that are entered at the command line. */
export const COMMAND_LINE = 'cli';

/** Creates the context of one command that is entered at the command line. */
export const commandLineContext = (organizationId: string): CommandContext => {
  const commandId = randomUUID();
  return commandContext({
    actor: systemActor(COMMAND_LINE),
    organizationId,
    correlationId: commandId,
    commandId,
    repeatable: false,
    now: instantOf(Date.now()),
  });
};
