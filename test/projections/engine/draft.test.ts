import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { components } from '../../../projections/components/projection.ts';
import { readDrafted } from '../../../projections/engine/draft.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import { mailings } from '../../../projections/mailings/projection.ts';
import { added, opened, appended, update } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import { scopeOf } from '../../queries/engine/scope.ts';
import { recorded } from '../history.ts';

const test = suite('a drafted read model');

const STORED = [pageCreated(), added('api'), added('web'), opened()];
const PROJECTIONS = [incidents, components, mailings];
const recovered = appended(update('u2', '11:00', { status: 'resolved', components: { api: 'operational' } }));

/** Returns drafted read models of a history, as they would be after the events in `more`. */
const drafted = async (facts: Parameters<typeof recorded>[0], more: Parameters<typeof recorded>[0]) => {
  const { read } = scopeOf(facts);
  return { read, after: await readDrafted(read, PROJECTIONS, recorded([...facts, ...more]).slice(facts.length)) };
};

test('a draft contains the changes that the events would make to stored documents', async () => {
  const { after } = await drafted(STORED, [recovered]);
  const whole = scopeOf([...STORED, recovered]).read;
  assert.equal(await after(incidents).incidents.get('incident'), await whole(incidents).incidents.get('incident'));
  assert.equal(
    await after(components).components.getMany(['web', 'api']),
    await whole(components).components.getMany(['web', 'api']),
  );
  const where = { page_id: PAGE };
  assert.equal(await after(components).components.find({ where }), await whole(components).components.find({ where }));
  assert.equal(await after(components).components.pick(['status'], { where }), [
    { status: 'operational' },
    { status: 'operational' },
  ]);
});

test('documents that the events create are found in a draft by their ids', async () => {
  const { after } = await drafted(STORED.slice(0, 3), [opened()]);
  assert.is((await after(incidents).incidents.get('incident'))?.name, 'No answer');
  assert.is((await after(components).components.get('api'))?.status, 'major_outage');
});

test('a draft changes no stored document', async () => {
  const { read } = await drafted(STORED, [recovered]);
  assert.is((await read(incidents).incidents.get('incident'))?.status, 'investigating');
  assert.is((await read(components).components.get('api'))?.status, 'major_outage');
});

test.run();
