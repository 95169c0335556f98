import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { includesRole, lesserRole, ROLES } from '../../domain/organization/roles.ts';
import { mayOf, PERMISSIONS, type Permission } from '../../api/permissions.ts';
import { v1Routes } from '../../api/v1/index.ts';
import { inProject } from '../project.ts';

const test = suite('permissions of roles');

const permissions = Object.keys(PERMISSIONS) as Permission[];

/** Returns the permissions of a role. */
const rightsOf = (role: string | null): Permission[] => permissions.filter(mayOf(role));

/** Permissions that concern the organization itself rather than monitoring and pages. */
const ADMINISTRATION = [
  'api_keys.administer',
  'organizations.write',
  'runners.write',
  'service.operate',
  'users.write',
];
/** Permissions for actions that cannot be undone. */
const FOR_GOOD = ['incidents.withhold', 'subscribers.export'];
const BILLING = ['audit.read', 'billing.read', 'billing.write'];

test('a viewer reads everything except the audit log, billing and secrets, and manages their own account and keys', () => {
  const reading = permissions.filter((permission) => permission.endsWith('.read') && !BILLING.includes(permission));
  assert.equal(new Set(rightsOf('viewer')), new Set([...reading, 'account.manage', 'api_keys.own']));
});

test('the role billing has the permissions of a viewer, and those for the audit log and for billing data', () => {
  assert.equal(new Set(rightsOf('billing')), new Set([...rightsOf('viewer'), ...BILLING]));
});

test('an editor has every permission for reversible actions that do not concern the organization itself, and an admin has every permission', () => {
  assert.equal(
    rightsOf('editor'),
    permissions.filter((permission) => ![...ADMINISTRATION, ...BILLING, ...FOR_GOOD].includes(permission)),
  );
  assert.equal(rightsOf('admin'), permissions);
});

test('a role includes another role if and only if it has all permissions of the other role', () => {
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

test('a key has only those permissions that are permissions both of its own role and of the role of its user', () => {
  for (const role of ROLES) {
    for (const other of ROLES) {
      const both = rightsOf(role).filter((permission) => rightsOf(other).includes(permission));
      assert.equal(rightsOf(lesserRole(role, other)), both, `${role} and ${other}`);
    }
  }
});

test('a missing or unknown role has no permissions', () => {
  for (const role of [null, '', 'auditor', 'Admin', 'constructor']) assert.equal(rightsOf(role), [], String(role));
});

test('every permission is used by a route or a handler', () => {
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
      ![`may('${permission}')`, `requirePermission('${permission}'`].some((call) => code.includes(call)),
  );
  assert.equal(unasked, []);
});

test.run();
