import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DomainEvent, EventDefinitions, RecordedEvent } from '../../domain/event.ts';
import {
  foldedEventsOf,
  foldedTypesOf,
  foldingReplaced,
  recordedPartsOf,
  WITHDRAWN,
} from '../../domain/replaced-events.ts';
import { recorded } from '../projections/history.ts';

const definition = { version: 1, data: Type.Object({}) };
const definitions: EventDefinitions = {
  Moved: {
    ...definition,
    replacedBy: {
      types: ['Left', 'Arrived'],
      events: ({ from, to }: { from: string; to: string }) => [
        { type: 'Left', data: { from } },
        { type: 'Arrived', data: { to } },
      ],
    },
  },
  Left: { ...definition, version: 3 },
  Arrived: {
    ...definition,
    replacedBy: {
      types: ['Noted', 'Landed'],
      events: (data) => [
        { type: 'Noted', data },
        { type: 'Landed', data },
      ],
    },
  },
  Noted: { ...definition, replacedBy: WITHDRAWN },
  Landed: { ...definition, version: 2 },
};

const moved: DomainEvent = { type: 'Moved', data: { from: 'Turku', to: 'Riga' } };

const test = suite('replaced event types');

test('an event type that replaces another can itself be replaced, and events of a withdrawn type are omitted', () => {
  assert.equal(foldedEventsOf(moved, definitions), [
    { type: 'Left', data: { from: 'Turku' } },
    { type: 'Landed', data: { to: 'Riga' } },
  ]);
  assert.equal(foldedTypesOf('Moved', definitions), ['Left', 'Landed']);
  assert.equal(foldedTypesOf('Noted', definitions), []);
});

test('an event whose type is not replaced is read unchanged', () => {
  const left = { type: 'Left', data: { from: 'Turku' } };
  assert.is(foldedEventsOf(left, definitions)[0], left);
  assert.equal(foldedTypesOf('Left', definitions), ['Left']);
});

test('events that replace a recorded event have its position and revision, but their own IDs and current versions', () => {
  const [mark] = recorded([{ type: 'LogMarked', data: { mark: 'a' } }]);
  assert.ok(mark);
  const event: RecordedEvent = { ...mark, ...moved };
  const [left, landed, ...others] = recordedPartsOf(event, definitions);
  assert.ok(left && landed && others.length === 0);
  assert.equal(left, {
    ...event,
    type: 'Left',
    data: { from: 'Turku' },
    metadata: { ...event.metadata, schema_version: 3 },
  });
  assert.is(landed.metadata.schema_version, 2);
  assert.equal([landed.position, landed.revision, landed.stream], [event.position, event.revision, event.stream]);
  assert.is.not(landed.id, event.id);
  assert.is(recordedPartsOf(event, definitions)[1]?.id, landed.id);
});

test('the fold of an aggregate gets, instead of a replaced event, the events that replace it, in order', () => {
  const evolve = foldingReplaced(definitions, (seen: readonly string[], { type }: DomainEvent) => [...seen, type]);
  const events = [{ type: 'Left', data: {} }, moved, { type: 'Noted', data: {} }];
  assert.equal(events.reduce(evolve, []), ['Left', 'Left', 'Landed']);
});

test.run();
