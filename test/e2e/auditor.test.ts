import { readFileSync, writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inTemporaryFolder } from '../service/temporary.ts';
import { callApi, endPrograms, serve, uptrail, type RunningProgram } from './program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const PASSWORD = 'a long password of this test';

const test = suite('the day of an auditor');
test.after.each(endPrograms);

interface HistoryEntry {
  at: string;
  action: string | null;
  actor: { kind: string; id: string; email?: string | null };
  changes: Record<string, { old: unknown; new: unknown }>;
}

type Call = <T>(method: string, path: string, body?: object) => Promise<T>;

/** Returns a function that calls the API, and asserts that the call succeeds. */
const callerOf =
  (program: RunningProgram, authorization: string): Call =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await callApi(program, authorization, method, path, body);
    assert.ok(response.status < 300, `${method} ${path}: ${JSON.stringify(response.body)}`);
    return response.body as T;
  };

/** Creates a user, and returns calls with the access token of the user. */
const signedIn = async (program: RunningProgram, admin: Call, email: string) => {
  const invited = await admin<{ invitation_url: string }>('POST', '/v1/users/invite', { email, role: 'editor' });
  const token = invited.invitation_url.replace(/^.*token=/, '');
  const names = { first_name: 'Ida', last_name: 'Berg' };
  await admin('POST', '/v1/users/reset-password', { token, new_password: PASSWORD, ...names });
  const session = await admin<{ access_token: string; user: { id: string } }>('POST', '/v1/login', {
    email,
    password: PASSWORD,
  });
  return { id: session.user.id, call: callerOf(program, `Bearer ${session.access_token}`) };
};

const changesOf = ({ action, actor, changes }: HistoryEntry, field: string) => [action, actor.id, changes[field]];

test(
  'an auditor finds who changed a page, sees the page as it was, verifies a statement and exports the events',
  inTemporaryFolder(async (folder) => {
    const DATA_DIR = `${folder}/data`;
    const program = await serve({ DATA_DIR, ADMIN_API_KEY });
    const admin = callerOf(program, ADMIN_API_KEY);
    const ida = await signedIn(program, admin, 'ida@example.org');

    // A page has an outage, and Ida reports it.
    const page = await admin<{ id: string }>('POST', '/v1/pages', { name: 'Acme', subdomain: 'acme' });
    const under = `/v1/pages/${page.id}`;
    const shop = await admin<{ id: string }>('POST', `${under}/components`, { name: 'Shop' });
    const incident = await ida.call<{ id: string }>('POST', `${under}/incidents`, {
      name: 'Payments fail',
      status: 'investigating',
      body: 'Lost.',
      components: { [shop.id]: 'major_outage' },
    });
    const updates = `${under}/incidents/${incident.id}/incident_updates`;
    const blame = { status: 'identified', body: 'Our certificate has expired.' };
    const update = await ida.call<{ id: string }>('POST', updates, blame);
    const moments = await admin<{ moments: string[] }>('GET', `${under}/history/moments`);
    const before = moments.moments.at(-1) ?? '';

    // Ida edits the incident, deletes the update, and renames the component. An admin removes her.
    await ida.call('PATCH', `${under}/incidents/${incident.id}`, { name: 'Some payments are slow' });
    await ida.call('DELETE', `${updates}/${update.id}`);
    await ida.call('PATCH', `${under}/components/${shop.id}`, { name: 'Web shop' });
    await ida.call('POST', updates, { status: 'resolved', body: 'Fixed.', components: { [shop.id]: 'operational' } });
    await admin('DELETE', `/v1/users/${ida.id}`);

    // The auditor finds who, when and what.
    const { history } = await admin<{ history: HistoryEntry[] }>('GET', `${under}/incidents/${incident.id}/history`);
    const edit = history.find(({ action }) => action === 'incident.updated');
    assert.equal(edit && changesOf(edit, 'name'), [
      'incident.updated',
      ida.id,
      { old: 'Payments fail', new: 'Some payments are slow' },
    ]);
    const deletion = history.find(({ action }) => action === 'incident_update.deleted');
    assert.equal(deletion && changesOf(deletion, 'body'), [
      'incident_update.deleted',
      ida.id,
      { old: blame.body, new: null },
    ]);
    assert.ok(deletion && deletion.at > before);
    const renamed = await admin<{ changes: Record<string, unknown>; events: HistoryEntry[] }>(
      'GET',
      `${under}/components/${shop.id}/history/diff?from=${before}`,
    );
    assert.equal(renamed.changes['name'], { old: 'Shop', new: 'Web shop' });
    const person = await admin<{ history: HistoryEntry[] }>('GET', `/v1/users/${ida.id}/history`);
    assert.is(person.history[0]?.action, 'user.removed');

    // The auditor sees the page, the update and the user as they were.
    const past = await admin<{ name: string; incident_updates: { body: string }[] }>(
      'GET',
      `${under}/incidents/${incident.id}?at=${before}`,
    );
    assert.equal([past.name, past.incident_updates[0]?.body], ['Payments fail', blame.body]);
    const user = await admin<{ role: string }>('GET', `/v1/users/${ida.id}?at=${before}`);
    assert.is(user.role, 'editor');
    const shown = await (await fetch(`${program.address}/status/acme?at=${before}`)).text();
    for (const text of ['Payments fail', blame.body, 'noindex']) assert.ok(shown.includes(text), text);
    assert.not(shown.includes('Web shop'));

    // The statement follows from the log. The auditor stores it, and verifies it.
    const month = before.slice(0, 7);
    const statement = await admin<{ components: { id: string; major_outage: number }[] }>(
      'GET',
      `${under}/statements/${month}`,
    );
    assert.equal(
      statement.components.map(({ id }) => id),
      [shop.id],
    );
    const file = `${folder}/statement.json`;
    const written = await uptrail({ DATA_DIR }, 'statement', 'acme', '--month', month, '--pdf', `${folder}/s.pdf`);
    assert.is(written.code, 0, written.stderr);
    const again = await uptrail({ DATA_DIR }, 'statement', 'acme', '--month', month, '--pdf', `${folder}/s.pdf`);
    assert.equal([again.code, again.stderr.includes('exists already')], [1, true], again.stderr);
    const printed = await uptrail({ DATA_DIR }, 'statement', 'acme', '--month', month);
    assert.is(printed.code, 0, printed.stderr);
    assert.equal(Object.keys(JSON.parse(printed.stdout) as object).sort(), Object.keys(statement).sort());
    writeFileSync(file, printed.stdout);
    for (const one of [file, `${folder}/s.pdf`]) {
      const verified = await uptrail({ DATA_DIR }, 'statement', 'verify', one);
      assert.is(verified.code, 0, verified.stdout);
    }

    // The auditor exports the events. They contain what was deleted.
    const events = `${folder}/events.jsonl`;
    const exported = await uptrail({ DATA_DIR }, 'replay', '--into', events);
    assert.is(exported.code, 0, exported.stderr);
    const types = readFileSync(events, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    for (const type of ['IncidentUpdateRemoved', 'UserRemoved']) assert.ok(types.includes(type), type);
    const verified = await uptrail({}, 'replay', 'verify', events);
    assert.is(verified.code, 0, verified.stdout);
  }),
);

test.run();
