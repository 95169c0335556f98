import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PERMISSIONS } from '../../api/permissions.ts';
import { WRITING_ROLES } from '../../console/session/writing-roles.ts';

const test = suite('the roles that the console shows buttons to');

test('are those that may do what the buttons do', () => {
  const needed = ['alerts.write', 'checks.execute', 'checks.write'] as const;
  for (const permission of needed) assert.equal([...PERMISSIONS[permission]], [...WRITING_ROLES], permission);
});

test.run();
