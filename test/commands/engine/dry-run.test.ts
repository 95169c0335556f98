import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commandContext } from '../../../commands/engine/context.ts';
import { dryRunWith } from '../../../commands/engine/dry-run.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import {
  checkGroupDecider,
  createCheckGroup,
  deleteCheckGroup,
  updateCheckGroup,
} from '../../../domain/check-group/check-group.ts';
import { NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { rejects } from '../../rejects.ts';

const test = suite('dry runs of commands');

const context = (organizationId = 'organization') =>
  commandContext({
    actor: { kind: 'user', id: 'user00000001', role: 'admin' },
    organizationId,
    correlationId: 'correlation',
    commandId: crypto.randomUUID(),
    repeatable: false,
    now: '2026-11-20T15:04:05.123000',
  });

const open = async () => {
  const store = createMemoryEventStore('main');
  const handle = createHandle({ store, clock: () => Date.UTC(2026, 10, 20), pause: async () => undefined });
  await handle(
    'group',
    checkGroupDecider,
    (state) => createCheckGroup(state, 'group', 'organization', { name: 'Shop' }, 1),
    context(),
  );
  return { ...dryRunWith(handle), stored: async () => (await store.readStream('check_group-group')).length };
};

test('a dry run decides on the stored state and appends nothing', async () => {
  const { handle, drafted, stored } = await open();
  const { state, events, repeated } = await handle(
    'group',
    checkGroupDecider,
    (group) => updateCheckGroup(group, { name: 'Shops' }),
    context(),
  );
  assert.is(await stored(), 1);
  assert.equal([state.status === 'there' && state.fields.name, events.length, repeated], ['Shops', 1, false]);
  const [event] = drafted;
  assert.is(event?.type, 'CheckGroupUpdated');
  assert.is(event?.stream, 'check_group-group');
  assert.is(event?.metadata.organization_id, 'organization');
});

test('a dry run positions its events after all stored events, in order', async () => {
  const { handle, drafted } = await open();
  await handle('group', checkGroupDecider, (group) => updateCheckGroup(group, { name: 'A' }), context());
  await handle('group', checkGroupDecider, deleteCheckGroup, context());
  const positions = drafted.map(({ position }) => Number(position));
  assert.ok(positions.every((position) => Number.isSafeInteger(position) && position > 1e15));
  assert.equal(
    positions.toSorted((a, b) => a - b),
    positions,
  );
  assert.is(new Set(positions).size, 2);
});

test('a dry run fails with the same errors as the command, and finds no resources of other organizations', async () => {
  const { handle, drafted } = await open();
  const update = (id: string, organizationId?: string) =>
    handle(id, checkGroupDecider, (group) => updateCheckGroup(group, { name: 'A' }), context(organizationId));
  await rejects(update('other'), NotFound);
  await rejects(update('group', 'another'), NotFound);
  assert.equal(drafted, []);
});

test.run();
