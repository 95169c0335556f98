import { check as isFormatted } from 'prettier';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECK_TEMPLATES } from '../../../../domain/check/templates/index.ts';
import type { CheckTemplate } from '../../../../domain/check/templates/template.ts';
import { startService } from '../../service.ts';

const test = suite('reference lists');

const service = await startService();
test.after(() => service.stop());

const listed = async (path: string): Promise<unknown> => {
  const reply = await service.request('GET', path);
  assert.is(reply.status, 200, path);
  return reply.json();
};

const templates = (await listed('/v1/checks/check-templates')) as CheckTemplate[];
const scripted = templates.flatMap(({ id, definition, requires_secrets }) => {
  const script = definition.parameters['pw_script'];
  return typeof script === 'string' ? [{ id, script, requires_secrets }] : [];
});

test('reference lists are arrays of strings', async () => {
  assert.equal(await listed('/v1/maintenance-statuses'), ['scheduled', 'in_progress', 'verifying', 'completed']);
});

test('the list of check templates has no pages', () => {
  assert.equal(templates, CHECK_TEMPLATES);
  assert.ok(templates.length >= 12);
});

test('every check template has an id like other resources', () => {
  for (const { id } of templates) assert.match(id, /^[a-z0-9]{12}$/);
  assert.is(new Set(templates.map(({ id }) => id)).size, templates.length);
});

for (const { id, type, definition } of templates) {
  test(`the check template ${id} creates a valid check`, async () => {
    const reply = await service.request('POST', '/v1/checks', { body: definition });
    assert.is(reply.status, 201, JSON.stringify(reply.json()));
    const { host = null, url = null, port = null, ...same } = definition;
    const check = reply.json() as Record<string, unknown>;
    assert.is(check['type'], type);
    for (const [field, value] of Object.entries({ ...same, host, url, port })) assert.equal(check[field], value, field);
  });
}

test('check templates name the secrets that their scripts read', () => {
  for (const { id, script, requires_secrets } of scripted) {
    const destructured = /const \{ (.+) \} = process\.env;/.exec(script)?.[1]?.split(', ') ?? [];
    const read = [...script.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name);
    assert.equal([...destructured, ...read], requires_secrets, id);
  }
});

test('the scripts of check templates are formatted', async () => {
  for (const { id, script } of scripted) {
    assert.ok(await isFormatted(script, { parser: 'babel', singleQuote: true, printWidth: 110 }), id);
  }
});

test.run();
