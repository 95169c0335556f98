import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { recordAlertOnResults } from '../../../reactors/alerts/raised-alerts.ts';
import type { RaisedAlertDocument } from '../../../projections/alerts/documents.ts';
import { checkResults } from '../../../projections/check-results/projection.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { at, CHECK, ORGANIZATION } from '../../domain/alert/examples.ts';
import { ranDown } from '../../domain/check-result/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { projection } from '../../projections/specification.ts';

const test = suite('the raised-alerts reactor');

const MOSCOW = { result_id: 'result000001', region: 'RU, Moscow' };
const WEST = { result_id: 'result000002', region: 'EU, West' };
const raised: RaisedAlertDocument = {
  id: 'alert0000001',
  organization_id: ORGANIZATION,
  check_id: CHECK,
  title: 'API is down',
  fired_at: at('15:00:01'),
  results: [MOSCOW, WEST],
  changed_position: 10,
};

const staged = () => {
  const store = createMemoryEventStore('results');
  const note = () => recordAlertOnResults({ log: store, clock: () => Date.UTC(2026, 10, 20, 15, 0, 2) });
  return { note, events: () => store.readAll({ after: 0n, categories: ['check_results'], limit: 100 }) };
};

test('an alert is recorded with each of its results, in the streams of their regions', async () => {
  const { note, events } = staged();
  await note()(raised);
  const [first, second, ...others] = await events();
  assert.equal(others, []);
  assert.is(first?.stream, 'check_results-ru-central1');
  assert.is.not(second?.stream, first?.stream);
  assert.equal(first?.data, {
    result_id: 'result000001',
    alert_id: 'alert0000001',
    title: 'API is down',
    organization_id: ORGANIZATION,
    check_id: CHECK,
    at: at('15:00:01'),
  });
  assert.equal(first?.metadata.actor, { kind: 'system', id: 'raised-alerts', role: null });
  assert.is(first?.metadata.recorded_at, at('15:00:02'));
});

test('an alert that is recorded twice is listed once with its result', async () => {
  const { note, events } = staged();
  await note()(raised);
  const ids = (await events()).map(({ id }) => id);
  const once = (await events()).map(({ type, data }) => ({ type, data }) as Fact);
  // The second store does not contain the events of the first store, so the reactor must derive the same event ids
  // again.
  const again = staged();
  await again.note()(raised);
  assert.equal(
    (await again.events()).map(({ id }) => id),
    ids,
  );
  const result = await projection(checkResults)
    .given(ranDown(), ...once, ...once)
    .document('check_results', 'result000001');
  assert.equal(result?.triggered_alerts, [{ id: 'alert0000001', title: 'API is down' }]);
});

test.run();
