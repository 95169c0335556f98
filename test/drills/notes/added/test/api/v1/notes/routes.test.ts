import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from '../../service.ts';

const test = suite('/v1/notes');
const service = await startService();
const { request } = service;
test.after(() => service.stop());

interface Note {
  id: string;
  name: string;
  color: string | null;
}

test('notes are listed by color and by a part of the name', async () => {
  for (const body of [{ name: 'Buy milk', color: 'red' }, { name: 'MILK again' }, { name: 'Bread' }]) {
    service.time.now += 1_000;
    assert.is((await request('POST', '/v1/notes', { body })).status, 201);
  }
  const names = async (search: string) =>
    ((await request('GET', `/v1/notes?${search}`)).json() as { notes: Note[] }).notes.map(({ name }) => name);
  assert.equal(await names('name=milk'), ['MILK again', 'Buy milk']);
  assert.equal(await names('color=red'), ['Buy milk']);
  assert.equal(await names('color=red&name=bread'), []);
  assert.is((await request('GET', '/v1/notes?color=pink')).status, 400);
});

test('a color is cleared with null', async () => {
  const { id } = (await request('POST', '/v1/notes', { body: { name: 'Tea', color: 'green' } })).json() as Note;
  const changed = await request('PATCH', `/v1/notes/${id}`, { body: { color: null } });
  assert.is((changed.json() as Note).color, null);
  assert.is((await request('PATCH', `/v1/notes/${id}`, { body: { name: null } })).status, 422);
});

test.run();
