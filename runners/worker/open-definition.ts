import type { RunDefinition } from '../../domain/check/run.ts';
import { isSealed, mapSealedPlaces } from '../../domain/check/sealing.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { RunnableCheck } from '../check-type.ts';

/** Opens the texts of a definition, at the last moment before it is run. */
export const openDefinition = async (
  { type, url, host, port, timeout, parameters }: RunDefinition,
  keys: Pick<Keys, 'open'>,
): Promise<RunnableCheck> => ({
  type,
  url,
  host,
  port,
  timeout,
  parameters: await mapSealedPlaces(parameters, (text) => (isSealed(text) ? keys.open(text) : text)),
});
