import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mayOf, PERMISSIONS, type Permission } from '../../api/permissions.ts';
import { v1Routes } from '../../api/v1/index.ts';

const test = suite('permissions say which roles may do what');

const permissions = Object.keys(PERMISSIONS) as Permission[];

/** What `role` may do. */
const rightsOf = (role: string | null): Permission[] => permissions.filter(mayOf(role));

test('a viewer reads everything but the audit log and secrets', () => {
  const reading = permissions.filter((permission) => permission.endsWith('.read') && permission !== 'audit.read');
  assert.equal(rightsOf('viewer'), reading);
});

test('billing reads what a viewer reads, and the audit log', () => {
  assert.equal(new Set(rightsOf('billing')), new Set([...rightsOf('viewer'), 'audit.read']));
});

test('an editor does everything but read the audit log, an admin that too', () => {
  assert.equal(
    rightsOf('editor'),
    permissions.filter((permission) => permission !== 'audit.read'),
  );
  assert.equal(rightsOf('admin'), permissions);
});

test('nobody, and a role that stands in no row, may do nothing', () => {
  for (const role of [null, '', 'auditor', 'Admin', 'constructor']) assert.equal(rightsOf(role), [], String(role));
});

test('every permission is asked for by a route or a handler', () => {
  const code = ['api', 'service']
    .flatMap((folder) => {
      const path = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
      return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => `${path}/${file}`);
    })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const needed = new Set(v1Routes.flatMap(({ access }) => ('needs' in access ? [access.needs] : [])));
  assert.equal(
    permissions.filter(
      (permission) =>
        !needed.has(permission) &&
        ![`may('${permission}')`, `requiring('${permission}'`].some((asked) => code.includes(asked)),
    ),
    [],
  );
});

test.run();
