import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeHistory } from '../../../cli/history/history.ts';
import type { Output } from '../../../service/output.ts';
import { startService } from '../../api/service.ts';

/**
 * Tests the features that a new resource has without further code. The new resource is called a note. This file runs in
 * a copy of the project that has this resource.
 */
const test = suite('a declared note');
const service = await startService();
const { request, first, second } = service;
test.after(() => service.stop());

interface Note {
  id: string;
  name: string;
}
interface Entry {
  action: string;
  resource_name: string | null;
  changes: Record<string, { old: unknown; new: unknown }>;
}

const make = async (body: object, headers: Record<string, string> = {}): Promise<Note> => {
  const reply = await request('POST', '/v1/notes', { body, headers });
  assert.is(reply.status, 201, reply.text);
  return reply.json() as Note;
};

test('a declared note is created, read, updated and deleted', async () => {
  const reply = await request('POST', '/v1/notes', { body: { name: 'Milk' } });
  const { id, ...note } = reply.json() as Note & Record<string, unknown>;
  assert.is(reply.headers.location, `/v1/notes/${id}`);
  assert.equal([note.name, note['text'], note['color']], ['Milk', '', null]);
  const changed = await request('PATCH', `/v1/notes/${id}`, { body: { name: 'Bread', color: 'red' } });
  assert.is(changed.status, 200);
  assert.equal((await request('GET', `/v1/notes/${id}`)).json(), changed.json());
  assert.is((await request('DELETE', `/v1/notes/${id}`)).status, 204);
  assert.is((await request('GET', `/v1/notes/${id}`)).status, 404);
});

test('declared notes are listed in pages (`page` and `per_page`), newest first', async () => {
  for (const name of ['first', 'second', 'third']) {
    service.time.now += 1_000;
    await make({ name: `${name} in line` });
  }
  const reply = await request('GET', '/v1/notes?name=in%20line&per_page=2&page=2');
  const { notes, pagination } = reply.json() as { notes: Note[]; pagination: object };
  assert.equal(
    notes.map(({ name }) => name),
    ['first in line'],
  );
  assert.equal(pagination, { page: 2, per_page: 2, pages: 2, total: 3, has_next: false, has_prev: true });
});

test('a repeated request creates a declared note only once', async () => {
  const sent = { body: { name: 'Once' }, headers: { 'idempotency-key': 'note-1' } };
  const one = await request('POST', '/v1/notes', sent);
  const two = await request('POST', '/v1/notes', sent);
  assert.is(two.headers['idempotent-replayed'], 'true');
  assert.is(two.text, one.text);
  const { notes } = (await request('GET', '/v1/notes?name=once')).json() as { notes: Note[] };
  assert.is(notes.length, 1);
});

test('a declared note is not visible to another organization', async () => {
  const { id } = await make({ name: 'Ours' });
  const key = second.keys.admin;
  assert.is((await request('GET', `/v1/notes/${id}`, { key })).status, 404);
  assert.is((await request('PATCH', `/v1/notes/${id}`, { key, body: { name: 'Theirs' } })).status, 404);
  assert.is((await request('DELETE', `/v1/notes/${id}`, { key })).status, 404);
  assert.equal(((await request('GET', '/v1/notes', { key })).json() as { notes: Note[] }).notes, []);
});

test('a viewer reads declared notes, but can not write them', async () => {
  const { id } = await make({ name: 'Seen' });
  const key = first.keys.viewer;
  assert.is((await request('GET', `/v1/notes/${id}`, { key })).status, 200);
  assert.is((await request('POST', '/v1/notes', { key, body: { name: 'Own' } })).status, 403);
  assert.is((await request('DELETE', `/v1/notes/${id}`, { key })).status, 403);
});

test('an invalid request for a declared note names every invalid field, and a request without changes stores nothing', async () => {
  const broken = await request('POST', '/v1/notes', { body: { name: ' ', color: 'pink' } });
  assert.is(broken.status, 422);
  const { errors } = broken.json() as { errors: { json: Record<string, string[]> } };
  assert.equal(Object.keys(errors.json).sort(), ['color', 'name']);
  const { id } = await make({ name: 'Same' });
  assert.is((await request('PUT', `/v1/notes/${id}`, { body: { name: 'Same' } })).status, 200);
  assert.is((await service.stores.main.readStream(`note-${id}`)).length, 1);
});

/** Creates, changes and deletes a note. @returns its id */
const past = async (): Promise<string> => {
  const { id } = await make({ name: 'Milk' });
  service.time.now += 60_000;
  await request('PATCH', `/v1/notes/${id}`, { body: { name: 'Bread', color: 'red' } });
  service.time.now += 60_000;
  await request('DELETE', `/v1/notes/${id}`);
  return id;
};

test('the audit log contains all changes of a declared note', async () => {
  const id = await past();
  const reply = await request('GET', `/v1/audit?resource_id=${id}`, { key: first.keys.admin });
  const { audit_logs } = reply.json() as { audit_logs: Entry[] };
  assert.equal(
    audit_logs.map(({ action, resource_name, changes }) => ({ action, resource_name, changes })),
    [
      { action: 'note.deleted', resource_name: 'Bread', changes: {} },
      {
        action: 'note.updated',
        resource_name: 'Bread',
        changes: { name: { old: 'Milk', new: 'Bread' }, color: { old: null, new: 'red' } },
      },
      {
        action: 'note.created',
        resource_name: 'Milk',
        changes: { name: { old: null, new: 'Milk' }, text: { old: null, new: '' } },
      },
    ],
  );
});

test('a declared note has a history, and its earlier states can be read', async () => {
  const started = service.time.now;
  const id = await past();
  const printed: string[] = [];
  const output: Output = {
    line: async (line) => {
      printed.push(line);
    },
    terminal: false,
  };
  const stores = { main: service.stores.main, keys: service.keys };
  await writeHistory({ kind: 'note', id, json: true }, stores, output);
  assert.equal(
    printed.map((line) => (JSON.parse(line) as { action: string }).action),
    ['note.created', 'note.updated', 'note.deleted'],
  );
  printed.length = 0;
  const at = new Date(started + 30_000).toISOString();
  await writeHistory({ kind: 'note', id, at, json: true }, stores, output);
  assert.is((JSON.parse(printed[0] ?? '{}') as Note).name, 'Milk');
});

test.run();
