import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { foldInMemory } from '../../../projections/engine/in-memory.ts';
import type { ComponentDocument, LaneDocument } from '../../../projections/components/documents.ts';
import { readLanesBetween } from '../../../queries/uptime/lanes-between.ts';
import { createLeavingLanesInBatch } from '../../../queries/uptime/leaving-lanes.ts';
import { components } from '../../../projections/components/projection.ts';
import { measureTimeline } from '../../../domain/uptime/intervals.ts';
import { phasesOf } from '../../../domain/uptime/timeline.ts';
import { DAY_MS, millisecondsOf, SECOND_MS } from '../../../domain/time.ts';
import { createMemoryReadStore } from '../../../stores/read-store/memory.ts';
import type { Query, Where } from '../../../stores/read-store/port.ts';
import { recorded } from '../../projections/history.ts';
import { plainModel } from './plain-model.ts';
import { COMPONENTS, randomFrom, randomHistory } from './random-history.ts';

const test = suite('status and uptime under random histories');

/**
 * Units of time in milliseconds. With each unit, the lanes of incidents belong to a different length class of the
 * index.
 */
const UNITS = [SECOND_MS, 3_600_000, 2 * DAY_MS, 30 * DAY_MS];
const HISTORIES = 200;

/** Returns the read model of some events. */
const readModelOf = async (facts: Parameters<typeof recorded>[0]) => {
  const readStore = createMemoryReadStore();
  const generation = await foldInMemory(components, [recorded(facts)], readStore);
  const find = async (query: Query): Promise<LaneDocument[]> =>
    (await readStore.find(generation, 'lanes', query)) as LaneDocument[];
  return {
    component: async (id: string) =>
      (await readStore.get(generation, 'components', [id]))[0] as ComponentDocument | undefined,
    lanes: {
      find,
      pick: async (_: readonly (keyof LaneDocument)[], query: Query) => find(query),
      getMany: async (ids: readonly string[]) => (await readStore.get(generation, 'lanes', ids)) as LaneDocument[],
      count: (where?: Where) => readStore.count(generation, 'lanes', where),
    },
  };
};

for (const unit of UNITS) {
  test(`the status and uptime of components equal those of the plain model, in steps of ${unit / SECOND_MS} s`, async () => {
    for (let seed = 1; seed <= HISTORIES / UNITS.length; seed++) {
      const random = randomFrom(seed * 7_919);
      const history = randomHistory(seed + unit, unit);
      const model = await readModelOf(history.facts);
      const plain = plainModel(history.facts);
      for (let ranges = 0; ranges < 3; ranges++) {
        const start = random.below(history.length);
        const end = start + random.below(history.length - start + 1);
        const [from, to] = [history.at(start), history.at(end)];
        const found = await readLanesBetween(model.lanes, COMPONENTS, from, to);
        const together = await readLanesBetween(
          model.lanes,
          COMPONENTS,
          from,
          to,
          createLeavingLanesInBatch(model.lanes),
        );
        const idsOf = (lanes: readonly LaneDocument[] = []): string[] => lanes.map(({ id }) => id).sort();
        for (const id of COMPONENTS) {
          assert.equal(idsOf(together.get(id)), idsOf(found.get(id)));
          const label = `seed ${seed}, ${id}, ${from} to ${to}`;
          const lanes = found.get(id) ?? [];
          const expected = { total: 0, major: 0, partial: 0 };
          for (let now = start; now < end; now++) {
            const status = plain.at(id, history.at(now));
            if (status !== null) expected.total += unit;
            if (status === 'major_outage') expected.major += unit;
            if (status === 'partial_outage') expected.partial += unit;
          }
          assert.equal(measureTimeline(phasesOf(lanes), millisecondsOf(from), millisecondsOf(to)), expected, label);
          const related = lanes.filter(
            (lane) => lane.incident_id !== null && lane.first_update <= to && lane.resolved >= from,
          );
          assert.equal(related.map((lane) => lane.incident_id).sort(), plain.related(id, from, to), label);
          assert.is((await model.component(id))?.status, plain.status(id), label);
        }
      }
    }
  });
}

test.run();
