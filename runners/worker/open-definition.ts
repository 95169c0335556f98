import { defaultPortOf } from '../../domain/check/definition.ts';
import type { RunDefinition } from '../../domain/check/run.ts';
import { fieldOf, mapSealedTexts } from '../../domain/check/sealing.ts';
import { isSealed, unescaped } from '../../domain/sealed.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { RunnableCheck } from '../../probes/engine/check-type.ts';

/**
 * Decrypts the texts of a definition, and adds the default port of its type. This happens at the last moment before the
 * run.
 *
 * @param secrets the values of the secrets that the check is bound to (open-secrets.ts)
 */
export const openDefinition = async (
  organizationId: string,
  { type, url, host, port, timeout, parameters }: RunDefinition,
  keys: Pick<Keys, 'open'>,
  secrets: RunnableCheck['secrets'],
): Promise<RunnableCheck> => ({
  type,
  url,
  host,
  port: port ?? defaultPortOf(type),
  timeout,
  parameters: unescaped(
    await mapSealedTexts(parameters, type, (text, place) =>
      isSealed(text) ? keys.open(text, { organizationId, field: fieldOf(place) }) : text,
    ),
  ),
  secrets,
});
