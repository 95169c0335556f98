import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { regionOutages } from '../../../projections/region-outages/projection.ts';
import { regionCutOff, regionReconnected } from '../../domain/region/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const test = suite('the read model of regions that are cut off');
const model = projection(regionOutages);

test('a region is stored while it is cut off', async () => {
  const cutOff = regionCutOff();
  await model
    .given(cutOff)
    .then('region_outages', [
      { id: 'eu-west1', organization_id: 'org000000001', region: 'EU, West', since: '2026-11-20T15:00:00.000000' },
    ]);
  await model.given(cutOff, regionReconnected()).thenNone('region_outages');
  await model.given(cutOff, regionReconnected({ because: 'not_remote' })).thenNone('region_outages');
});

test('the start and the end of the newest outage of a region each have a notice', async () => {
  const since = '2026-11-20T16:00:00.000000';
  const facts = [regionCutOff(), regionReconnected(), regionCutOff({ since })];
  const notices = await model.given(...facts).documents('region_notices');
  assert.equal(
    notices.map(({ id, what, since: from, changed_position }) => [id, what, from, changed_position]),
    [
      ['eu-west1/connected', 'connected', '2026-11-20T15:00:00.000000', 20],
      ['eu-west1/cut_off', 'cut_off', since, 30],
    ],
  );
});

test('the end of an outage has no notice if remote runners no longer serve the region', async () => {
  const facts = [regionCutOff(), regionReconnected({ because: 'not_remote' })];
  await model.given(...facts).thenNone('region_notices', 'eu-west1/connected');
});

test.run();

projectionRules(regionOutages, [
  regionCutOff(),
  regionCutOff({ region: 'private-0123456789ab', name: 'Office' }),
  regionReconnected(),
  regionCutOff(),
]);
