import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MAX_REPLACED_TEXTS, type UpdateEditsDocument } from '../../../projections/incident-edits/documents.ts';
import { incidentEdits } from '../../../projections/incident-edits/projection.ts';
import { appended, at, edited, opened, removed, update, withheld } from '../../domain/incident/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of edits of incident updates');

const document = async (id: string, ...facts: Fact[]): Promise<UpdateEditsDocument> => {
  const found = await projection(incidentEdits)
    .given(...facts)
    .document('update_edits', id);
  if (!found) throw new Error('There is no document.');
  return found;
};

const reworded = (from: string, to: string, clock: string) => edited('u1', clock, { body: to }, { body: from });
const second = update('u2', '11:00');

test('the text of an incident update before each edit is stored, with its log position', () =>
  projection(incidentEdits)
    .given(opened(), reworded('It is 10:00.', 'One.', '10:10'), reworded('One.', 'Two.', '10:20'))
    .then('update_edits', [
      {
        id: 'u1',
        incident_id: 'incident',
        replaced: [
          { body: 'It is 10:00.', replaced_at: at('10:10'), position: 20, withheld: false },
          { body: 'One.', replaced_at: at('10:20'), position: 30, withheld: false },
        ],
        withheld_at: null,
        removed: null,
        changed_position: 30,
        length: 16,
      },
    ]));

test('incident updates without edits have no document', () =>
  projection(incidentEdits)
    .given(opened(), edited('u1', '10:10', { created_at: at('09:00') }, { created_at: at('10:00') }))
    .thenNone('update_edits'));

test('a removed incident update is stored in its final state', async () => {
  const { removed: last, length } = await document('u2', opened(), appended(second), removed(second, '12:00'));
  assert.equal(last, {
    update: {
      id: 'u2',
      incident_id: 'incident',
      body: 'It is 11:00.',
      status: 'investigating',
      components: {},
      deliver_notifications: true,
      display_at: at('11:00'),
      created_at: at('11:00'),
      updated_at: at('12:00'),
    },
    removed_at: at('12:00'),
    position: 30,
  });
  assert.is(length, 'It is 11:00.'.length);
});

test('withholding covers all previous texts of an incident update, but not a later edit', async () => {
  const before = [opened(), reworded('It is 10:00.', 'One.', '10:10'), withheld('u1', '10:20')];
  const flags = ({ replaced, withheld_at }: UpdateEditsDocument) => [
    replaced.map(({ body, withheld }) => `${body} ${String(withheld)}`),
    withheld_at,
  ];
  assert.equal(flags(await document('u1', ...before)), [['It is 10:00. true'], at('10:20')]);
  const after = [reworded('One.', 'Two.', '10:30'), reworded('Two.', 'Three.', '10:40')];
  assert.equal(flags(await document('u1', ...before, ...after)), [
    ['It is 10:00. true', 'One. true', 'Two. false'],
    null,
  ]);
});

test('the newest texts of an incident update that was edited very often are stored', async () => {
  const edits = Array.from({ length: MAX_REPLACED_TEXTS + 5 }, (_, n) =>
    reworded(n.toString(), (n + 1).toString(), '10:10'),
  );
  const { replaced } = await document('u1', opened(), ...edits);
  assert.is(replaced.length, MAX_REPLACED_TEXTS);
  assert.is(replaced.at(-1)?.body, (MAX_REPLACED_TEXTS + 4).toString());
});

test.run();

projectionRules(incidentEdits, [
  opened(),
  appended(second),
  reworded('It is 10:00.', 'One.', '11:10'),
  edited('u1', '11:15', { created_at: at('09:00') }, { created_at: at('10:00') }),
  withheld('u1', '11:20'),
  reworded('One.', 'Two.', '11:30'),
  removed(second, '11:40'),
  withheld('u2', '11:50'),
]);
