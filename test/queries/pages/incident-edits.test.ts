import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import {
  readVisibleEdits,
  findUpdateEvenDeleted,
  visibleBody,
  withoutWithheldTexts,
} from '../../../queries/pages/incident-edits.ts';
import { findIncident } from '../../../queries/pages/incidents.ts';
import { appended, at, edited, opened, removed, update, withheld } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated, pageUpdated } from '../../domain/page/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('the edits of incident updates that visitors see');

const INCIDENT = { id: 'incident', page_id: PAGE };
const place = (incident_update_id: string) => ({ page_id: PAGE, incident_id: 'incident', incident_update_id });
const shown = async (...facts: Fact[]) => {
  const { previous, deleted } = await readVisibleEdits(scopeOf(facts), INCIDENT);
  return { previous: Object.fromEntries(previous), deleted };
};
const NOTHING = { previous: {}, deleted: [] };

const reworded = (from: string, to: string, clock: string) => edited('u1', clock, { body: to }, { body: from });
const second = update('u2', '11:00', { status: 'monitoring' });
const one = reworded('It is 10:00.', 'One.', '12:00');
const two = reworded('One.', 'Two.', '12:10');
const gone = removed(second, '12:20');
const deletedSecond = {
  id: 'u2',
  status: 'monitoring' as const,
  created_at: at('11:00'),
  deleted_at: at('12:20'),
  body: 'It is 11:00.',
};
const turned = (show_edits: boolean) => pageUpdated({ show_edits }, { show_edits: !show_edits });

test('visitors see the previous texts of an incident update, newest first, and deleted updates', async () => {
  assert.equal(await shown(pageCreated(), opened(), appended(second), one, two, gone), {
    previous: {
      u1: [
        { body: 'One.', replaced_at: at('12:10') },
        { body: 'It is 10:00.', replaced_at: at('12:00') },
      ],
    },
    deleted: [deletedSecond],
  });
});

test('visitors see no edits while the page does not show them, and the query reads none', async () => {
  const scope = scopeOf([pageCreated(), opened(), appended(second), one, gone, turned(false)]);
  assert.equal(await readVisibleEdits(scope, INCIDENT), { previous: new Map(), deleted: [] });
  assert.equal(scope.reads, ['pages.get']);
  assert.equal(await shown(pageCreated({ show_edits: false }), opened(), one), NOTHING);
});

test('visitors see only edits that follow the event in the log by which the page shows edits, whatever the times of the edits', async () => {
  const before = [pageCreated({ show_edits: false }), opened(), appended(second), one, gone];
  assert.equal(await shown(...before, turned(true)), NOTHING);
  // The times of all these edits are before the time at which the setting was changed. Only `two` comes after that
  // event in the log.
  assert.equal(await shown(...before, turned(true), two), {
    previous: { u1: [{ body: 'One.', replaced_at: at('12:10') }] },
    deleted: [],
  });
});

test('visitors see edits made while the page temporarily did not show them', async () => {
  assert.equal(await shown(pageCreated(), opened(), turned(false), one, turned(true)), {
    previous: { u1: [{ body: 'It is 10:00.', replaced_at: at('12:00') }] },
    deleted: [],
  });
});

test('visitors see no withheld text, and only the fact that a withheld update was deleted', async () => {
  const given = [pageCreated(), opened(), appended(second), one, gone];
  assert.equal(await shown(...given, withheld('u1', '13:00'), withheld('u2', '13:00')), {
    previous: {},
    deleted: [{ ...deletedSecond, body: null }],
  });
  // The texts that existed at the time of withholding are withheld. A later text is shown when it is replaced.
  const three = reworded('Two.', 'Three.', '13:20');
  assert.equal(await shown(...given, withheld('u1', '13:00'), reworded('One.', 'Two.', '13:10'), three), {
    previous: { u1: [{ body: 'Two.', replaced_at: at('13:20') }] },
    deleted: [deletedSecond],
  });
});

test('visitors see no text of an update that was withheld before it was deleted', async () => {
  const { deleted } = await shown(pageCreated(), opened(), appended(second), withheld('u2', '12:00'), gone);
  assert.equal(deleted, [{ ...deletedSecond, body: null }]);
});

test('visitors see only the newest edits if all of them are too large', async () => {
  const long = (n: number) => `${n} ${'x'.repeat(24_000)}`;
  const updates = Array.from({ length: 60 }, (_, n) => update(`many${n}`, '11:00', { body: long(n) }));
  const many = updates.flatMap(({ id, body }) => [edited(id, '12:00', { body: 'Short.' }, { body })]);
  const { previous } = await shown(pageCreated(), opened(), ...updates.map((own) => appended(own)), ...many);
  assert.is(Object.keys(previous).length, 41);
  assert.ok('many59' in previous);
});

test('a withheld text is empty in responses to visitors', async () => {
  const given = [pageCreated(), opened(), appended(second)];
  const found = (facts: Fact[]) => findIncident(scopeOf(facts), { page_id: PAGE, incident_id: 'incident' });
  const untouched = await found(given);
  assert.is(withoutWithheldTexts(untouched), untouched);
  const incident = await found([...given, withheld('u1', '13:00')]);
  assert.equal(incident.incident_updates.map(visibleBody), ['It is 11:00.', null]);
  assert.equal(
    withoutWithheldTexts(incident).incident_updates.map(({ body }) => body),
    ['It is 11:00.', ''],
  );
});

test('a deleted update is found only in its own incident and by its own organization', async () => {
  const scope = scopeOf([pageCreated(), opened(), appended(second), one, gone, withheld('u2', '13:00')]);
  const { body, withheld_at, updated_at } = await findUpdateEvenDeleted(scope, place('u2'));
  assert.equal([body, withheld_at, updated_at], ['It is 11:00.', at('13:00'), at('13:00')]);
  assert.is((await findUpdateEvenDeleted(scope, place('u1'))).body, 'One.');
  await rejects(findUpdateEvenDeleted(scope, place('u3')), NotFound, 'There is no such incident update.');
  const theirs = { ...scope, organizationId: OTHER_ORGANIZATION };
  await rejects(findUpdateEvenDeleted(theirs, place('u2')), NotFound);
});

test.run();
