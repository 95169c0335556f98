import { readFileSync } from 'node:fs';
import { Type } from '@sinclair/typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { categoryOf } from '../../domain/decider.ts';
import type { EventDefinitions } from '../../domain/event.ts';
import { eventTypes, definitionOf } from '../../domain/event-types.ts';
import { recordedPartsOf } from '../../domain/replaced-events.ts';
import { upcasters } from '../../domain/upcasters.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { createMemoryEventStore } from '../../stores/event-store/memory.ts';
import { createValidation } from '../../stores/event-store/validation.ts';
import { entriesOf, nameOf, type CatalogueEntry } from './catalogue-text.ts';
import { CATALOGUE_FILE, catalogueText, goldenEvents, released } from './golden.ts';
import { releaseViolations, replacementViolations } from './released.ts';
import { sampleOf } from './sample.ts';

const golden = goldenEvents();
const test = suite('the catalogue of events');

test('domain/catalogue.json is up to date (if not: npm run generate)', () => {
  assert.is(readFileSync(CATALOGUE_FILE, 'utf8'), catalogueText());
});

test('each event type has one category and a unique name', () => {
  const types = entriesOf(eventTypes).map(({ type }) => type);
  assert.equal(types, [...new Set(types)]);
});

test('every current or released version of an event has a golden event, and there are no other golden events', () => {
  const versions = [...entriesOf(eventTypes), ...released()].map(nameOf);
  assert.equal([...golden.keys()].sort(), [...new Set(versions)].sort());
});

test('no released version of an event has changed', () => {
  assert.equal(releaseViolations(released(), entriesOf(eventTypes), upcasters), []);
});

test('every chain of replaced event types ends at types of the same category that are not replaced', () => {
  assert.equal(replacementViolations(eventTypes), []);
});

test.run();

const reading = suite('every event ever released is read in its current version');
const validate = createValidation();

for (const [name, { stream, ...event }] of golden) {
  reading(name, async () => {
    const store = createMemoryEventStore('main');
    await store.append(stream, [event], 'no_stream');
    const [read] = await createCheckedStore(store).readAll({ after: 0n });
    assert.ok(read);
    assert.is(`${event.type}@${event.metadata.schema_version}`, name);
    const definition = definitionOf(read.type);
    assert.ok(definition);
    assert.is(read.metadata.schema_version, definition.version);
    assert.equal(validate(definition, read.data), []);
    for (const part of recordedPartsOf(
      read,
      (eventTypes as Record<string, EventDefinitions>)[categoryOf(stream)] ?? {},
    )) {
      const folded = definitionOf(part.type);
      assert.ok(folded);
      assert.equal(validate(folded, part.data), []);
    }
    await store.close();
  });
}

reading.run();

const guarding = suite('a change of a released event is refused');
const entry = (version: number, schema: unknown = { type: 'object' }, more: Partial<CatalogueEntry> = {}) => ({
  category: 'ship',
  type: 'ShipSailed',
  version,
  schema,
  ...more,
});
const same = (data: object): object => data;

guarding('a new version of an event is allowed if upcasters lead to it from each released version', () => {
  const current = [entry(3, { type: 'object', required: ['to'] })];
  const refused = (steps: Record<number, typeof same>): string[] =>
    releaseViolations([entry(1), entry(2)], current, { ShipSailed: steps });
  assert.equal(refused({ 1: same, 2: same }), []);
  assert.equal(refused({ 2: same }), ['No upcasters lead from ShipSailed@1 to version 3.']);
  assert.equal(refused({}), [
    'No upcasters lead from ShipSailed@1 to version 3.',
    'No upcasters lead from ShipSailed@2 to version 3.',
  ]);
});

guarding(
  'a change of the schema or the category, a decrease of the version, or the removal of the type is refused',
  () => {
    const refused = (current: CatalogueEntry[]): string[] => releaseViolations([entry(2)], current, {});
    assert.equal(refused([entry(2)]), []);
    assert.equal(refused([entry(2, { type: 'object', required: ['to'] })]), [
      'ShipSailed@2 was released; a change of its schema needs a new version and an upcaster.',
    ]);
    assert.equal(refused([entry(2, undefined, { category: 'harbour' })]), [
      'ShipSailed@2 was released in the category ship.',
    ]);
    assert.equal(refused([entry(1)]), ["ShipSailed@2 was released; the version can't go back to 1."]);
    assert.equal(refused([]), ['ShipSailed@2 was released; its type has to stay.']);
  },
);

guarding('an event type that replaces itself, or that replaces a type of another category, is refused', () => {
  const type = (...types: string[]) => ({ version: 1, data: Type.Object({}), replacedBy: { types, events: () => [] } });
  const whole = { version: 1, data: Type.Object({}) };
  assert.equal(replacementViolations({ ship: { A: type('B'), B: type('C'), C: whole, D: type() } }), []);
  assert.equal(replacementViolations({ ship: { A: type('B') }, harbour: { B: whole } }), [
    'A is replaced by B, which is not in its category.',
  ]);
  assert.equal(replacementViolations({ ship: { A: type('B'), B: type('A'), C: type('A') } }), [
    'A is replaced by itself.',
    'B is replaced by itself.',
  ]);
});

guarding.run();

const sampling = suite('a sample of a schema');

sampling('a sample has every field of its schema, and satisfies the schema', () => {
  const schema = Type.Object({
    id: Type.String({ minLength: 2 }),
    status: Type.Union([Type.Null(), Type.Literal('sailing')]),
    at: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })),
    masts: Type.Array(Type.Integer({ minimum: 40 })),
    flags: Type.Record(Type.String(), Type.Boolean()),
    rig: Type.String({ examples: ['schooner'] }),
  });
  assert.equal(sampleOf(schema), {
    id: 'a1b2c3d4e5f6',
    status: 'sailing',
    at: '2026-11-20',
    masts: [60],
    flags: { a1b2c3d4e5f6: true },
    rig: 'schooner',
  });
});

sampling('sampling a schema without a known value fails', () => {
  assert.throws(() => sampleOf(Type.String({ pattern: '^unheard of$' })), /No sample satisfies/);
});

sampling.run();
