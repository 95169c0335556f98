import type { Instant } from '../../domain/time.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { LaneDocument } from '../../projections/components/documents.ts';
import { MANUAL_CHANGE_SPAN, reachingTo } from '../../projections/components/spans.ts';

type Lanes = Pick<CollectionReader<LaneDocument>, 'find'>;

/** Finds, for each component, the lanes whose changes ended before a time and whose status can last until that time. */
type Leaving = (ids: readonly string[], from: Instant) => Promise<ReadonlyMap<string, readonly LaneDocument[]>>;

/**
 * Reads the lanes that determine the status of components within a period, by component. A lane is the timeline of the
 * statuses that one source, such as an incident, sets on one component. A lane is settled after its final change. The
 * result contains the lanes that overlap the period, and those lanes that settled before the period but whose status
 * can last until the start of the period. The number of documents read does not depend on the number of lanes in other
 * periods.
 *
 * @param from start of the period
 * @param to end of the period, inclusive
 * @param leaving finds the lanes that settled before the period; leaving-lanes.ts has a faster implementation for many
 * components
 */
export const readLanesBetween = async (
  lanes: Lanes,
  componentIds: readonly string[],
  from: Instant,
  to: Instant,
  leaving: Leaving = createLeavingLanesByComponent(lanes),
): Promise<Map<string, LaneDocument[]>> => {
  const ids = [...new Set(componentIds)];
  const [reaching, settled] = await Promise.all([reachingInto(lanes, ids, from, to), leaving(ids, from)]);
  const found = new Map<string, LaneDocument[]>(ids.map((id) => [id, [...(settled.get(id) ?? [])]]));
  for (const lane of reaching) found.get(lane.component_id)?.push(lane);
  await Promise.all(
    [...found].map(async ([id, own]) => {
      own.push(...(await hiddenEdit(lanes, id, own, from)));
    }),
  );
  return found;
};

const reachingInto = async (
  lanes: Lanes,
  ids: readonly string[],
  from: Instant,
  to: Instant,
): Promise<LaneDocument[]> => {
  const byClass = reachingTo(from).map(({ span, since }) =>
    lanes.find({
      where: {
        component_id: { $in: ids },
        span,
        begins: { ...(since !== null && { $gte: since }), $lte: to },
        settled: { $gte: from },
      },
    }),
  );
  return (await Promise.all(byClass)).flat();
};

/** Creates a function as described for `Leaving`, with one query per component. */
export const createLeavingLanesByComponent =
  (lanes: Lanes): Leaving =>
  async (ids, from) =>
    new Map(await Promise.all(ids.map(async (id) => [id, await leavingTo(lanes, id, from)] as const)));

/** Number of settled lanes that are read first. Nearly always, only the newest one is needed. */
export const FIRST_READ_SIZE = 2;

/**
 * Finds the lanes that settled before a time and whose status can last until that time. The status that a resolved
 * incident has left lasts until another lane sets the component (docs/reference/uptime.md#after-the-resolution). So the
 * newest lanes are read, back to one that set a status after all older lanes had settled.
 */
const leavingTo = async (lanes: Lanes, componentId: string, from: Instant): Promise<LaneDocument[]> => {
  const where = { component_id: componentId, leaves: { $lt: from } };
  const found: LaneDocument[] = [];
  let lastSet: Instant = '';
  for (let limit = FIRST_READ_SIZE; ; limit *= 4) {
    const more = await lanes.find({ where, sort: { leaves: -1 }, skip: found.length, limit });
    for (const lane of more) {
      if (lane.settled < lastSet) return found;
      found.push(lane);
      lastSet = later(lastSet, lastSetBefore(lane, from));
    }
    if (more.length < limit) return found;
  }
};

/**
 * Finds the most recent manual change before a time. Reads nothing if the known lanes agree on the time at which the
 * newest status was set. Otherwise, a manual change in between might have ended open lanes, so it must be known even if
 * other lanes set a status later.
 */
const hiddenEdit = async (
  lanes: Lanes,
  componentId: string,
  known: readonly LaneDocument[],
  from: Instant,
): Promise<LaneDocument[]> => {
  const newest = known.map((lane) => lastSetBefore(lane, from)).reduce(later, '');
  const last = known.map(({ steps }) => steps.findLast(({ at, sets }) => sets !== null && at < from)?.at ?? newest);
  if (last.every((at) => at === newest)) return [];
  const where = { component_id: componentId, span: MANUAL_CHANGE_SPAN, source: 'edit', begins: { $lt: from } };
  const [edit] = await lanes.find({ where, sort: { begins: -1 }, limit: 1 });
  return edit && !known.some(({ id }) => id === edit.id) ? [edit] : [];
};

/**
 * Returns the newest time before `from` at which a lane set a status. Ignores statuses that were recorded after the end
 * of the incident. Returns an empty text if there is none.
 */
export const lastSetBefore = ({ steps }: LaneDocument, from: Instant): Instant =>
  steps.findLast(({ at, sets, past }) => sets !== null && !past && at < from)?.at ?? '';

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
