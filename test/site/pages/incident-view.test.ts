import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findIncident } from '../../../queries/pages/incidents.ts';
import { incidentView } from '../../../site/pages/incident-view.ts';
import { appended, opened, update, withheld } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import { scopeOf } from '../../queries/engine/scope.ts';

const test = suite('views of incidents');

test('the view of an incident contains no text that is withheld from visitors', async () => {
  const scope = scopeOf([pageCreated(), opened(), appended(update('u2', '11:00')), withheld('u1', '12:00')]);
  const incident = await findIncident(scope, { page_id: PAGE, incident_id: 'incident' });
  const { updates } = incidentView(incident, new Map(), { most: 10 });
  assert.equal(
    updates.map(({ id, body }) => [id, body]),
    [
      ['u2', 'It is 11:00.'],
      ['u1', null],
    ],
  );
});

test.run();
