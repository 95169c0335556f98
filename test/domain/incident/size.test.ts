import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { appendUpdate, changeIncident, type UpdateInput } from '../../../domain/incident/decide.ts';
import { Invalid } from '../../../domain/errors.ts';
import type { IncidentEvent } from '../../../domain/incident/events.ts';
import { MAX_BODY, MAX_COMPONENTS, MAX_INCIDENT_BYTES, MAX_UPDATES } from '../../../domain/incident/rules.ts';
import { storedBytes } from '../../../domain/incident/size.ts';
import { incidentDecider, type Incident } from '../../../domain/incident/state.ts';
import { editUpdate } from '../../../domain/incident/updates.ts';
import { added, appended, at, opened, page, update } from './examples.ts';

const test = suite('the size of an incident');

const { evolve, initialState } = incidentDecider;
const stateOf = (events: readonly IncidentEvent[]): Incident => events.reduce<Incident>(evolve, initialState);

/**
 * Appends updates until one is refused.
 *
 * @param some the number of equal updates that already exist; they are folded without a decision, which saves time
 */
const untilRefused = (input: UpdateInput, on = page(), some = 0): { events: IncidentEvent[]; error: unknown } => {
  const same = Array.from({ length: some }, (_, index) => appended(update(`same${index}`, '11:00', input)));
  const events: IncidentEvent[] = [opened(), ...same];
  let state = stateOf(events);
  for (let count = 0; ; count++) {
    try {
      const event = appendUpdate(state, on, `update${count}`, { status: 'identified', ...input }, at('12:00'));
      events.push(event);
      state = evolve(state, event);
    } catch (error) {
      return { events, error };
    }
  }
};

const brokenBy = (error: unknown): string[] => {
  assert.instance(error, Invalid);
  return Object.keys((error as Invalid).errors.json ?? {});
};

for (const [kind, character, bytes] of [
  ['control characters', '\u0001', 6],
  ['ideographs', '漢', 3],
] as const) {
  test(`an incident refuses an update of ${kind} that exceeds its maximum size, and the error names the field`, () => {
    const { events, error } = untilRefused({ body: character.repeat(MAX_BODY) });
    assert.equal(brokenBy(error), ['body']);
    assert.is(events.length - 1, Math.floor(MAX_INCIDENT_BYTES / (MAX_BODY * bytes + 650)));
  });
}

test('components count toward the size of an incident', () => {
  const names = Array.from(
    { length: MAX_COMPONENTS - 1 },
    (_, index) => `component${index.toString().padStart(4, '0')}`,
  );
  const map = Object.fromEntries(names.map((name) => [name, 'degraded_performance' as const]));
  const { events, error } = untilRefused({ components: map }, page(...names.map((name) => added(name))), 270);
  assert.equal(brokenBy(error), ['components']);
  assert.ok(events.length < MAX_UPDATES);
});

test('an incident can have the maximum number of updates with a page of text each', () => {
  const { events, error } = untilRefused({ body: 'Wir prüfen das gerade. '.repeat(200) }, page(), MAX_UPDATES - 10);
  assert.match(String(error), 'at most 500 updates');
  assert.is(events.length, MAX_UPDATES);
});

test('an incident at its maximum size refuses updates, and edits that enlarge an earlier update', () => {
  const { events } = untilRefused({ body: '\u0001'.repeat(MAX_BODY) });
  const small: IncidentEvent = appended(update('small', '11:00'));
  const state = stateOf([...events, small]);
  const edit = (id: string, body: string) => editUpdate(state, page(), id, { body }, at('13:00'));
  assert.throws(
    () => edit('small', '\u0001'.repeat(MAX_BODY)),
    (error: unknown) => brokenBy(error)[0] === 'body',
  );
  assert.is(edit('small', 'Better.').length, 1);
  const change = (input: UpdateInput) => changeIncident(state, page(), 'next', input, at('13:00'));
  assert.throws(
    () => change({ body: '\u0001'.repeat(MAX_BODY) }),
    (error: unknown) => brokenBy(error)[0] === 'body',
  );
});

test('an incident that exceeds the maximum size can be made smaller, but not larger', () => {
  const large = Array.from({ length: 84 }, (_, index): IncidentEvent =>
    appended(update(`u${index}`, '11:00', { body: '\u0001'.repeat(MAX_BODY) })),
  );
  const state = stateOf([opened(), ...large]);
  assert.ok(storedBytes(state as Extract<Incident, { status: 'active' }>) > MAX_INCIDENT_BYTES);
  assert.is(editUpdate(state, page(), 'u3', { body: 'Short.' }, at('13:00')).length, 1);
  assert.throws(
    () => appendUpdate(state, page(), 'next', { status: 'identified', body: 'More.' }, at('13:00')),
    (error: unknown) => brokenBy(error)[0] === 'body',
  );
});

test.run();
