import type { CatalogueEntry, Coordination } from '../../../stores/coordination/port.ts';
import type { Projector } from '../projector.ts';

/**
 * A request to switch readers to a generation. A rebuild sends it to the engine. The rebuild and the engine are
 * different processes, so the request is stored as a coordination value.
 */
export interface SwitchRequest {
  generation: number;
  state: 'requested' | 'switched' | 'refused' | 'cancelled';
  /** Why the engine refused the request. */
  reason: string | null;
}

type Values = Pick<Coordination, 'read' | 'write'>;

const nameOf = (key: string): string => `switch:${key}`;

/** Reads the switch request of a projection. @param key name@version of the projection */
export const readSwitch = async (values: Values, key: string): Promise<SwitchRequest | null> => {
  const text = await values.read(nameOf(key));
  return text ? (JSON.parse(text) as SwitchRequest) : null;
};

export const writeSwitch = (values: Values, key: string, value: SwitchRequest): Promise<void> =>
  values.write(nameOf(key), JSON.stringify(value));

/** Removes the request of a projection version that was dropped. */
export const removeSwitch = async (values: Values, key: string): Promise<void> => {
  if (await values.read(nameOf(key))) await values.write(nameOf(key), '');
};

/**
 * Responds to the requests of rebuilds. The process that keeps the projections up to date calls this periodically.
 *
 * @param catalogue the current catalogue of generations
 * @returns whether there are generations that might be requested later, such as one that is being built
 */
export const respondToSwitches = async (
  projectors: readonly Projector[],
  coordination: Pick<Coordination, 'read' | 'write'>,
  catalogue: readonly CatalogueEntry[],
): Promise<boolean> => {
  const unread = new Set(catalogue.filter(({ live, last }) => last > (live ?? 0)).map(({ projection }) => projection));
  const concerned = projectors.filter(({ holdsLease, key }) => holdsLease && unread.has(key));
  for (const projector of concerned) {
    const request = await readSwitch(coordination, projector.key);
    if (request?.state !== 'requested') continue;
    await writeSwitch(coordination, projector.key, await respond(projector, request.generation));
  }
  return concerned.length > 0;
};

const respond = async (projector: Projector, generation: number): Promise<SwitchRequest> => {
  try {
    await projector.adopt(generation);
    return { generation, state: 'switched', reason: null };
  } catch (error) {
    return { generation, state: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
};
