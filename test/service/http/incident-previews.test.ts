import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ReadModelBehind, ReadModelLate } from '../../../projections/readers.ts';
import { createIncidentPreviews } from '../../../service/http/incident-previews.ts';
import { added, appended, opened, update } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import { recorded } from '../../projections/history.ts';
import { scopeOf } from '../../queries/engine/scope.ts';
import { rejects } from '../../rejects.ts';

const test = suite('previews of incidents by read models');

const STORED = [pageCreated(), added('api'), opened()];
const drafted = appended(update('u2', '11:00', { body: 'A disk is full.', status: 'identified' }));
const draft = {
  page_id: PAGE,
  incident_id: 'incident',
  events: recorded([...STORED, drafted]).slice(STORED.length),
};
const places = { publicUrl: null, publicDomain: null };

test('incident previews are rendered from the data of several read models', async () => {
  const waited: string[] = [];
  const readers = {
    waitFor: async (names: readonly string[]): Promise<void> => {
      waited.push(...names);
    },
  };
  const preview = await createIncidentPreviews({ readers, places })(scopeOf(STORED), draft);
  assert.equal(waited.sort(), ['components', 'incidents', 'mailings']);
  assert.is(preview.email?.subject, '[Acme] Identified: No answer');
  assert.match(preview.page.html, 'A disk is full.');
});

test('incident previews are rejected while a read model lacks a part of the incident', async () => {
  const readers = { waitFor: () => Promise.reject(new ReadModelLate('mailings')) };
  await rejects(createIncidentPreviews({ readers, places })(scopeOf(STORED), draft), ReadModelBehind);
});

test.run();
