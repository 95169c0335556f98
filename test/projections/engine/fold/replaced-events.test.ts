import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventDefinitions } from '../../../../domain/event.ts';
import { WITHDRAWN } from '../../../../domain/replaced-events.ts';
import { collection, defineProjection, type AnyProjection } from '../../../../projections/engine/fold/define.ts';
import { recorded } from '../../history.ts';

const definition = { version: 1, data: Type.Object({}) };
const split = {
  types: ['Left', 'Arrived'],
  events: (data: object) => [
    { type: 'Left', data },
    { type: 'Arrived', data },
  ],
};
const catalogue: Record<string, EventDefinitions> = {
  ship: {
    Moved: { ...definition, replacedBy: split },
    Noted: { ...definition, replacedBy: WITHDRAWN },
    Left: definition,
    Arrived: definition,
  },
};

const projection = (on: string[], more: object = {}): AnyProjection =>
  ({
    name: 'moves',
    version: 1,
    log: 'main',
    collections: { ships: collection({ indexes: [] }), ports: collection({ indexes: [] }) },
    documents: ({ type, id }: { type: string; id: string }) =>
      type === 'Left' ? { ships: ['a'] } : { ships: ['a', 'b'], ports: [id] },
    on: Object.fromEntries(
      on.map((type) => [type, (event: { type: string }, seen: string[]) => seen.push(event.type)]),
    ),
    ...more,
  }) as unknown as AnyProjection;

const [mark] = recorded([{ type: 'LogMarked', data: { mark: 'a' } }]);
const moved = { ...mark, type: 'Moved', data: {} };

/** Returns the types of the events that a projection handles in place of an event of the type Moved. */
const handledOf = ({ on }: AnyProjection): string[] => {
  const seen: string[] = [];
  (on as unknown as Record<string, (event: object, seen: string[]) => void>)['Moved']?.(moved, seen);
  return seen;
};

const test = suite('a projection of replaced event types');

test('of the events that replace a recorded event, a projection folds those that it handles', () => {
  const both = defineProjection(projection(['Left', 'Arrived']), catalogue);
  assert.equal(Object.keys(both.on), ['Left', 'Arrived', 'Moved']);
  assert.equal(handledOf(both), ['Left', 'Arrived']);
  assert.equal(handledOf(defineProjection(projection(['Arrived']), catalogue)), ['Arrived']);
});

test('a projection loads the documents of all replacements of a replaced event', () => {
  const both = defineProjection(projection(['Left', 'Arrived']), catalogue);
  const { ships, ports } = both.documents(moved as never) as { ships: string[]; ports: string[] };
  assert.equal(ships, ['a', 'b']);
  assert.is(ports.length, 1);
  assert.equal(both.documents({ ...moved, type: 'Left' } as never), { ships: ['a'] });
});

test('a projection that handles the replaced type itself gets the stored event', () => {
  const own = projection(['Moved', 'Left', 'Noted']);
  assert.is(defineProjection(own, catalogue), own);
  assert.equal(handledOf(own), ['Moved']);
});

test('the definition of a projection that handles no replacement of a replaced type is not changed', () => {
  const other = projection(['Sank']);
  assert.is(defineProjection(other, catalogue), other);
});

test('a projection that searches documents for a new event type must also handle the replaced type', () => {
  for (const more of [{ searches: { Arrived: () => ({}) } }, { further: { Arrived: () => ({}) } }]) {
    assert.throws(
      () => defineProjection(projection(['Left', 'Arrived'], more), catalogue),
      'moves searches for Arrived, so it has to handle Moved.',
    );
    defineProjection(projection(['Left', 'Arrived', 'Moved'], more), catalogue);
  }
});

test.run();
