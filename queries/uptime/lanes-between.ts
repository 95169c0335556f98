import type { Instant } from '../../domain/time.ts';
import type { CollectionReader } from '../../projections/readers.ts';
import type { LaneDocument } from '../../projections/components/documents.ts';
import { MANUAL_CHANGE_SPAN, reachingTo } from '../../projections/components/spans.ts';

type Lanes = Pick<CollectionReader<LaneDocument>, 'find'>;

/** Finds, for each component, the lanes that settled before a time but whose status can last until then. */
type Leaving = (ids: readonly string[], from: Instant) => Promise<ReadonlyMap<string, readonly LaneDocument[]>>;

/**
 * The lanes that determine the status of components within a period, by component. A lane is the timeline of the
 * statuses that one incident sets on one component. Returns those that overlap the period, and of those settled before
 * it only the ones that still matter at its start. The number of documents read does not depend on other periods.
 *
 * @param from start of the period
 * @param to its last moment
 * @param leaving another way to find the lanes that settled before (leaving-lanes.ts)
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

/** Finds them with one query per component. */
export const createLeavingLanesByComponent =
  (lanes: Lanes): Leaving =>
  async (ids, from) =>
    new Map(await Promise.all(ids.map(async (id) => [id, await leavingTo(lanes, id, from)] as const)));

/** Number of settled lanes that are read first; nearly always only the newest one matters. */
export const FIRST_READ_SIZE = 2;

/**
 * The lanes settled before a time whose status can last until then: the newest ones, back to where something was set
 * after all older ones had settled. (What a resolved incident left lasts until anything sets the component again,
 * docs/reference/uptime.md#after-the-resolution.)
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
 * The last manual change before a time, if it can lie between the statuses that the lanes set: a manual change ends
 * open lanes, even if other lanes set something after it.
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

/** When a lane last set a present status before a time; empty if never. */
export const lastSetBefore = ({ steps }: LaneDocument, from: Instant): Instant =>
  steps.findLast(({ at, sets, past }) => sets !== null && !past && at < from)?.at ?? '';

const later = (a: Instant, b: Instant): Instant => (a > b ? a : b);
