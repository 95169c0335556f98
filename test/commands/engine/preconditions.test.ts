import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { updateCheckGroup, createCheckGroup } from '../../../commands/checks/check-groups.ts';
import type { CommandDependencies } from '../../../commands/dependencies.ts';
import { commandContext, derivedUuid, stepContext, type CommandContext } from '../../../commands/engine/context.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import { checkGroupDecider, deleteCheckGroup } from '../../../domain/check-group/check-group.ts';
import { NotFound, PreconditionFailed } from '../../../domain/errors.ts';
import { revisedIn } from '../../../domain/revision.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { rejects } from '../../rejects.ts';

const test = suite('preconditions of commands');

let commandNumber = 0;
const context = (given: Partial<CommandContext> = {}): CommandContext =>
  commandContext({
    actor: { kind: 'user', id: 'user00000001', role: 'admin' },
    organizationId: 'organization',
    correlationId: 'correlation',
    commandId: derivedUuid(`command ${commandNumber++}`),
    repeatable: false,
    now: '2026-11-20T15:04:05.123000',
    ...given,
  });

const knowing = (id: string, revisions: readonly number[] | null, given: Partial<CommandContext> = {}) =>
  context({ ...given, precondition: { ...revisedIn('check_group', id), revisions, met: false } });

const open = async (store: EventStore = createMemoryEventStore('main')) => {
  const process = () => createHandle({ store, clock: () => Date.UTC(2026, 10, 20), pause: async () => undefined });
  const handle = process();
  const dependencies = { handle } as unknown as CommandDependencies;
  const id = await createCheckGroup(dependencies)({ name: 'Shop' }, 1, context());
  const update = (name: string, updateContext: CommandContext) =>
    updateCheckGroup(dependencies)(id, { name }, updateContext);
  const revisions = async () => (await store.readStream(`check_group-${id}`)).length;
  return { store, handle, process, id, update, revisions };
};

test('a change with If-Match is made only at one of the named revisions, and a change without If-Match at any revision', async () => {
  const { id, update, revisions } = await open();
  await update('Shop 2', knowing(id, [1]));
  await rejects(update('Shop 3', knowing(id, [1])), PreconditionFailed, /its revision is now 2/);
  await rejects(update('Shop 3', knowing(id, [])), PreconditionFailed);
  await update('Shop 3', knowing(id, [1, 2]));
  await update('Shop 4', knowing(id, null));
  await update('Shop 5', context());
  assert.is(await revisions(), 5);
});

test('exactly one of two concurrent changes of the same revision succeeds', async () => {
  for (const processes of [1, 2]) {
    const { id, handle, process, revisions } = await open();
    const handles = [handle, processes === 1 ? handle : process()];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => {
        const dependencies = { handle: handles[n % 2] } as unknown as CommandDependencies;
        return updateCheckGroup(dependencies)(id, { name: `Name ${n}` }, knowing(id, [1]));
      }),
    );
    const refused = outcomes.filter((one) => one.status === 'rejected');
    assert.is(refused.length, 7);
    assert.ok(refused.every(({ reason }) => reason instanceof PreconditionFailed));
    assert.is(await revisions(), 2);
  }
});

test('a newer revision by another process fails the precondition, even if the change would have no effect', async () => {
  const { id, update, process } = await open();
  await update('Shop', context());
  const other = { handle: process() } as unknown as CommandDependencies;
  await updateCheckGroup(other)(id, { name: 'Market' }, context());
  await rejects(update('Shop', knowing(id, [1])), PreconditionFailed);
  await update('Market', knowing(id, [2]));
});

test('a change without effect keeps the revision', async () => {
  const { id, update } = await open();
  await update('Shop', knowing(id, [1]));
  await update('Shop 2', knowing(id, [1]));
});

test('a repeated command returns its first outcome, whatever the current revision is', async () => {
  const { id, update, revisions } = await open();
  const commandId = derivedUuid('once');
  await update('Shop 2', knowing(id, [1], { commandId, repeatable: true }));
  await update('Shop 2', knowing(id, [1], { commandId, repeatable: true }));
  assert.is(await revisions(), 2);
});

test('further changes of a request apply to the revision that its first change has created', async () => {
  const { id, update, revisions } = await open();
  const request = knowing(id, [1]);
  await update('Shop 2', request);
  await update('Shop 3', stepContext(request, 'another'));
  assert.is(await revisions(), 3);
});

test('a precondition does not affect other resources', async () => {
  const { handle, id, update } = await open();
  const dependencies = { handle } as unknown as CommandDependencies;
  const other = await createCheckGroup(dependencies)({ name: 'Other' }, 2, context());
  await update('Shop 2', context());
  await updateCheckGroup(dependencies)(other, { name: 'Another' }, knowing(id, [1]));
  await rejects(update('Shop 3', knowing(id, [1])), PreconditionFailed);
});

test('loading a resource fails if its revision differs from the revision in the precondition', async () => {
  const { handle, id, update } = await open();
  await update('Shop 2', context());
  await rejects(handle.load(id, checkGroupDecider, knowing(id, [1])), PreconditionFailed);
  assert.is((await handle.load(id, checkGroupDecider, knowing(id, [2]))).status, 'there');
});

test('a deleted resource is not found at any revision', async () => {
  const { handle, id, update } = await open();
  await rejects(handle(id, checkGroupDecider, deleteCheckGroup, knowing(id, [2])), PreconditionFailed);
  await handle(id, checkGroupDecider, deleteCheckGroup, knowing(id, [1]));
  await rejects(update('Shop 2', knowing(id, [1])), NotFound);
  await rejects(update('Shop 2', knowing(id, null)), NotFound);
});

test.run();
