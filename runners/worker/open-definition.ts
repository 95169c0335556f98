import { isSealed, mapSealedPlaces } from '../../domain/check/sealing.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { RunnableCheck } from '../check-type.ts';
import type { QueuedDefinition } from '../run-message.ts';

/** Opens the texts of a definition, at the last moment before it is run. */
export const openDefinition = async (
  { type, url, host, port, timeout, parameters }: QueuedDefinition,
  keys: Pick<Keys, 'open'>,
): Promise<RunnableCheck> => ({
  type,
  url,
  host,
  port,
  timeout,
  parameters: await mapSealedPlaces(parameters, (text) => (isSealed(text) ? keys.open(text) : text)),
});
