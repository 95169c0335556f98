import { SELF_HOSTED } from '../../../domain/organization/plans.ts';
import { projectionKey, type AnyProjection } from '../../../projections/engine/fold/define.ts';
import { foldInMemory } from '../../../projections/engine/in-memory.ts';
import { projectionReader } from '../../../projections/engine/projection-reader.ts';
import type { Read } from '../../../projections/readers.ts';
import type { IncidentList, JoinedIncident } from '../../../queries/pages/incidents.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import type { Visit } from '../../../queries/pages/visits.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { Generation, ReadStore } from '../../../stores/read-store/port.ts';
import { recorded, type Fact } from '../../projections/history.ts';

/** Id of the organization in the events that `recorded` creates. */
export const ORGANIZATION = 'org000000001';
export const OTHER_ORGANIZATION = 'org000000002';

/** A scope that records its reads in order, such as `check_activity.getMany`. */
export interface ObservedScope extends Scope {
  reads: string[];
}

/**
 * Returns a scope on the read models of both logs after some events. Its time is an hour after the first event unless
 * `now` is given.
 *
 * @param readStore an empty read store
 */
export const scopeOf = (
  facts: readonly Fact[],
  given: Partial<Scope> = {},
  readStore: ReadStore = createMemoryReadStore(),
): ObservedScope => {
  const events = recorded(facts);
  const folded = new Map<string, Promise<Generation>>();
  const generationOf = (projection: AnyProjection): Promise<Generation> => {
    const key = projectionKey(projection);
    const known = folded.get(key) ?? foldInMemory(projection, [events], readStore);
    folded.set(key, known);
    return known;
  };
  const reads: string[] = [];
  const read: Read = (projection) => {
    const reader = projectionReader(projection, readStore, async (ask) => ask(await generationOf(projection)));
    return observed(reader, reads);
  };
  return {
    read,
    organizationId: ORGANIZATION,
    now: '2026-11-20T16:00:00.000000',
    resultsFrom: () => '2026-05-20T00:00:00.000000',
    plans: SELF_HOSTED,
    keys: createMemoryKeys(),
    reads,
    ...given,
  };
};

/** Returns all incidents of a list. */
export const everyIncident = async ({ incidents }: IncidentList): Promise<JoinedIncident[]> => {
  const found: JoinedIncident[] = [];
  for await (const one of incidents()) found.push(one);
  return found;
};

type Methods = Record<string, (...given: unknown[]) => unknown>;

/** Wraps the reader of each collection so that its calls are recorded. */
const observed = <R extends object>(reader: R, reads: string[]): R =>
  Object.fromEntries(
    Object.entries(reader as Record<string, Methods>).map(([collection, methods]) => [
      collection,
      Object.fromEntries(
        Object.entries(methods).map(([name, method]) => [
          name,
          (...given: unknown[]) => {
            reads.push(`${collection}.${name}`);
            return method(...given);
          },
        ]),
      ),
    ]),
  ) as R;

/** Keys that sign tokens. */
const macKeys = createMemoryKeys();

/** A visitor without credentials, from any address. */
export const VISIT: Omit<Visit, 'read'> = {
  clientAddress: '192.0.2.7',
  credential: null,
  now: '2026-11-20T16:00:00.000000',
  mac: (kind, text) => macKeys.fingerprint(kind, text),
};
