import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkGroups } from '../../../projections/check-groups/projection.ts';
import {
  groupCreated,
  groupDeleted,
  groupFields,
  groupUpdated,
  paused,
  resumed,
} from '../../domain/check-group/examples.ts';
import { GROUP, ORGANIZATION } from '../../domain/check/examples.ts';
import type { Fact } from '../history.ts';
import { projection, projectionRules } from '../specification.ts';

projectionRules(checkGroups, [groupCreated(), paused, groupDeleted]);

const test = suite('the read model of check groups');

test('a check group has its present state and the time of its newest change', async () => {
  await projection(checkGroups)
    .given(groupCreated({ color: '#1A7F37' }), paused)
    .then('check_groups', {
      ...groupFields({ color: '#1A7F37', active: false }),
      id: GROUP,
      organization_id: ORGANIZATION,
      revision: 2,
      created_at: '2026-11-20T15:00:00.000000',
      updated_at: '2026-11-20T15:00:01.000000',
      paused_at: '2026-11-20T15:00:01.000000',
    });
});

test('the start of a group’s pause is stored, whatever else changes', async () => {
  const pausedAt = async (...facts: readonly Fact[]): Promise<unknown> =>
    (
      await projection(checkGroups)
        .given(...facts)
        .document('check_groups', GROUP)
    )?.paused_at;
  const renamed = groupUpdated({ name: 'Stores' }, { name: 'Shops' });
  assert.is(await pausedAt(groupCreated()), null);
  assert.is(await pausedAt(groupCreated({ active: false })), '2026-11-20T15:00:00.000000');
  assert.is(await pausedAt(groupCreated(), paused, renamed), '2026-11-20T15:00:01.000000');
  assert.is(await pausedAt(groupCreated(), paused, resumed), null);
});

test('a deleted check group is removed from the read model', async () => {
  await projection(checkGroups).given(groupCreated(), groupDeleted).thenNone('check_groups');
});

test.run();
