import type { Static } from '@sinclair/typebox';
import { createCheck } from '../../../commands/checks/checks.ts';
import type { CommandContext } from '../../../commands/engine/context.ts';
import type { Commands } from '../../../commands/index.ts';
import { markOf } from '../../../domain/managed/managed-by.ts';
import { CHECK_DEFAULTS, type GroupPlacement } from '../../../domain/check/state.ts';
import type { NewCheck } from './schema.ts';

/** Creates a check from the body of a request. @returns its id */
export const createCheckFromBody = (
  { commands, context }: { commands: Commands; context: CommandContext },
  body: Static<typeof NewCheck>,
  place: GroupPlacement,
): Promise<string> => {
  const { name, type, interval, active, timeout, host, url, port, parameters, tags } = {
    ...CHECK_DEFAULTS,
    ...body,
  };
  return commands.bind(createCheck)(
    { name, type, interval, active, timeout, host, url, port, parameters, tags, ...markOf(body) },
    context,
    place,
    body.secrets,
    body.muted_until,
  );
};
