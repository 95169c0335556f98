import type { Logger } from 'pino';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { findScriptPrograms, type ScriptPrograms } from '../../probes/script/programs.ts';
import { findAvailableTypes, unavailableSentence, RIGHTS_CHECKS, type AvailableTypes } from '../../probes/tools.ts';
import type { Config } from '../config/config.ts';
import { scriptRights } from './script-processes.ts';

/**
 * The check types that this machine can run, the types that it can't run, and the programs for scripts that were found.
 */
export interface RunAbility {
  types: readonly CheckTypeName[];
  lacking: AvailableTypes['unavailable'];
  programs: ScriptPrograms;
}

/**
 * Determines which of the requested check types this machine can run.
 *
 * @throws Error the machine can run none of the requested types; the message explains why
 */
export const abilityOfMachine = async (
  config: Pick<Config, 'playwrightChromium' | 'scriptSandbox'>,
  requested: readonly CheckTypeName[],
  logger: Pick<Logger, 'warn'>,
): Promise<RunAbility> => {
  const programs = await findScriptPrograms({ chromium: config.playwrightChromium });
  const rights = new Map([...RIGHTS_CHECKS, ...scriptRights(config, programs)]);
  const { types, unavailable } = await findAvailableTypes(requested, { rights });
  for (const one of unavailable) logger.warn(unavailableSentence(one));
  if (types.length === 0) throw new Error(unavailable.map(unavailableSentence).join(' '));
  return { types, lacking: unavailable, programs };
};
