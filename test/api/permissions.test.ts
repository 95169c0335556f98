import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { includesRole, lesserRole, ROLES } from '../../domain/organization/roles.ts';
import { mayOf, PERMISSIONS, type Permission } from '../../api/permissions.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { inProject } from '../project.ts';

const test = suite('permissions say which roles may do what');

const permissions = Object.keys(PERMISSIONS) as Permission[];

/** What `role` may do. */
const rightsOf = (role: string | null): Permission[] => permissions.filter(mayOf(role));

/** What concerns the organization itself, beside what it monitors and shows. */
const ADMINISTRATION = [
  'api_keys.administer',
  'organizations.write',
  'runners.write',
  'service.operate',
  'users.write',
];
/** What can't be taken back. */
const FOR_GOOD = ['incidents.withhold', 'subscribers.export'];
const BILLING = ['audit.read', 'billing.read', 'billing.write'];

test('a viewer reads everything but the audit log, billing and secrets, and has an account and keys', () => {
  const reading = permissions.filter((permission) => permission.endsWith('.read') && !BILLING.includes(permission));
  assert.equal(new Set(rightsOf('viewer')), new Set([...reading, 'account.manage', 'api_keys.own']));
});

test('billing has what a viewer has, the audit log, and what concerns payment', () => {
  assert.equal(new Set(rightsOf('billing')), new Set([...rightsOf('viewer'), ...BILLING]));
});

test('an editor does everything that can be undone and does not concern the organization itself, an admin all', () => {
  assert.equal(
    rightsOf('editor'),
    permissions.filter((permission) => ![...ADMINISTRATION, ...BILLING, ...FOR_GOOD].includes(permission)),
  );
  assert.equal(rightsOf('admin'), permissions);
});

test('a role includes another exactly if it may do all that the other may', () => {
  for (const role of ROLES) {
    for (const other of ROLES) {
      const rights = new Set(rightsOf(role));
      assert.is(
        includesRole(role, other),
        rightsOf(other).every((permission) => rights.has(permission)),
        `${role} and ${other}`,
      );
    }
  }
});

test('a key of one role in the hands of another role may do what both may', () => {
  for (const role of ROLES) {
    for (const other of ROLES) {
      const both = rightsOf(role).filter((permission) => rightsOf(other).includes(permission));
      assert.equal(rightsOf(lesserRole(role, other)), both, `${role} and ${other}`);
    }
  }
});

test('nobody, and a role that stands in no row, may do nothing', () => {
  for (const role of [null, '', 'auditor', 'Admin', 'constructor']) assert.equal(rightsOf(role), [], String(role));
});

test('every permission is asked for by a route or a handler', () => {
  const code = ['api', 'service']
    .flatMap((folder) => {
      const path = inProject(folder);
      return readdirSync(path, { recursive: true, encoding: 'utf8' }).map((file) => `${path}/${file}`);
    })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const needed = new Set(v1Routes.flatMap(({ access }) => ('needs' in access ? [access.needs] : [])));
  const unasked = permissions.filter(
    (permission) =>
      !needed.has(permission) &&
      ![`may('${permission}')`, `requiring('${permission}'`].some((asked) => code.includes(asked)),
  );
  assert.equal(unasked, []);
});

test.run();
