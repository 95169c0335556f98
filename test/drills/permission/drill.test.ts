import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { organizationEvents } from '../../../domain/organization/events.ts';
import { createValidation } from '../../../stores/event-store/validation.ts';
import { knownKey, serveNotes } from '../../api/notes.ts';
import { permissionsDocument } from '../../permissions-table.ts';
import { PERMISSIONS } from './permissions.ts';
import { ROLES } from './roles.ts';
import { archiveEndpoints, archiveRoutes } from './routes.ts';
import { inProject } from '../../project.ts';

/**
 * Adds a permission and a role, as docs/develop/add-permission-or-role.md says: a line of `api/permissions.ts`, a line
 * of `domain/organization/roles.ts`, and the route or handler that needs the permission. The tables of this test are
 * those of the product with these lines added. If any other code listed permissions or roles, a test would fail.
 */
const test = suite('adding a permission and a role');

const served = await serveNotes({ surface: archiveEndpoints });
test.after(() => served.stop());
for (const role of ROLES) served.apiKeys.set(knownKey(role).hash, knownKey(role));

const PAGE = 'docs/develop/add-permission-or-role.md';

const path = '/v1/pages/p1/archive';
const ask = (role: string, method: string, requested = path) =>
  served.bare({ method, path: requested, headers: { authorization: `${role}-key` } });

test('a new permission allows its route only to the roles in its row', async () => {
  const open: string[] = [];
  for (const role of ROLES) if ((await ask(role, 'POST')).status === 204) open.push(role);
  assert.equal(open.sort(), [...PERMISSIONS['pages.archive']].sort());
  const refused = await ask('editor', 'POST');
  assert.is(refused.status, 403);
  assert.is((refused.json() as { message: string }).message, 'This needs the role admin or archivist.');
});

test('a new permission reveals more in a response to the roles that have it', async () => {
  await ask('archivist', 'POST');
  assert.equal((await ask('archivist', 'GET')).json(), { archived: true, by: 'archivistkey' });
  assert.equal((await ask('viewer', 'GET')).json(), { archived: true, by: null });
});

test('a new role has no permission unless a row grants it', async () => {
  assert.is((await ask('archivist', 'GET', '/v1/notes')).status, 403);
  assert.is((await ask('archivist', 'POST', '/v1/notes')).status, 403);
});

test('a new role needs no new event version, because events of API keys accept any role', () => {
  const { data } = organizationEvents.ApiKeyCreated;
  assert.is(data.properties.role.type, 'string');
  const created = {
    organization_id: 'acme',
    api_key_id: 'key1',
    name: 'Archive',
    prefix: 'upt_abcd',
    hash: '0'.repeat(64),
    role: 'archivist',
    expires_at: null,
    origin: 'request',
    created_by: null,
    created_by_key: null,
    allowed_ips: [],
  };
  assert.equal(createValidation()(organizationEvents.ApiKeyCreated, created), []);
});

test('a new permission is listed in the generated table', () => {
  const document = permissionsDocument(archiveRoutes, PERMISSIONS, ROLES);
  assert.match(document, '| permission | `viewer` | `editor` | `admin` | `billing` | `archivist` |');
  assert.match(document, '| `pages.archive` |  |  | yes |  | yes |');
  assert.match(document, '| `POST /v1/pages/{page_id}/archive` | `pages.archive` |  |  | yes |  | yes |');
});

test('a new permission or role needs no other file, because no other file of the product lists roles', () => {
  const folders = 'api cli commands domain http network notifiers projections queries reactors runners service stores';
  const listing = folders.split(' ').flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${folder}/${file}`)
      // Examples of request bodies name roles, but a new role needs no further example.
      .filter((file) => !file.startsWith('api/openapi/examples/'))
      .filter((file) => {
        const code = readFileSync(inProject(file), 'utf8');
        return ['viewer', 'editor', 'billing'].filter((role) => code.includes(`'${role}'`)).length > 1;
      }),
  );
  assert.equal(listing.sort(), ['api/permissions.ts', 'domain/organization/roles.ts']);
  const page = readFileSync(inProject(PAGE), 'utf8');
  for (const file of listing) assert.ok(page.includes(`\`${file}\``), `${PAGE} does not name ${file}.`);
});

test.run();
