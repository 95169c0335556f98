import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { deleteCheck } from '../../../commands/checks/checks.ts';
import { executeCheck, executeDefinition } from '../../../commands/checks/jobs.ts';
import type { CommandContext } from '../../../commands/engine/context.ts';
import { createHandle } from '../../../commands/engine/handle.ts';
import type { EventOf } from '../../../domain/event-types.ts';
import { createCheck } from '../../../domain/check/decide.ts';
import { checkDecider } from '../../../domain/check/state.ts';
import { IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { CHECK, newCheck } from '../../domain/check/examples.ts';
import { definition, THREE_REGIONS } from '../../domain/job/examples.ts';
import { rejects } from '../../rejects.ts';
import { aContext, ProcessDied, dyingAtAppend, startProcess } from '../simulated-processes.ts';

const test = suite('running on demand');

/** Creates a log with one check, for processes without connected runners. */
const withCheck = async (): Promise<EventStore> => {
  const store = createMemoryEventStore('main');
  const context = aContext();
  const handle = createHandle({ store, clock: () => Date.UTC(2026, 10, 20, 15) });
  const decide = (check: Parameters<typeof createCheck>[0]) =>
    createCheck(check, CHECK, context.organizationId, newCheck({ parameters: THREE_REGIONS }));
  await handle(CHECK, checkDecider, decide, context);
  return store;
};

const jobsIn = async (store: EventStore): Promise<EventOf<'JobQueued'>['data'][]> =>
  (await store.readAll({ after: 0n, categories: ['job'] })).map(({ data }) => data as EventOf<'JobQueued'>['data']);

/** Returns the context of a request that can be repeated. */
const repeatable = (): CommandContext => aContext({ repeatable: true });

test('a check can be run on demand although its regions have no runner, and its job waits for a runner', async () => {
  const store = await withCheck();
  const id = await startProcess(store).commands.bind(executeCheck)(CHECK, aContext());
  const [job] = await jobsIn(store);
  assert.equal([job?.job_id, job?.check_id, job?.user_id], [id, CHECK, null]);
  assert.equal(job?.check_parameters, definition({ parameters: THREE_REGIONS }));
});

test('a definition is run only if it is complete and a region has a runner', async () => {
  const store = await withCheck();
  const { bind } = startProcess(store).commands;
  const sentence = 'Checks of type web can\'t be run in region "RU, Moscow".';
  await rejects(bind(executeDefinition)(definition(), aContext()), IllegalState, sentence);
  await rejects(bind(executeDefinition)(definition({ url: null }), aContext()), Invalid);
  assert.equal(await jobsIn(store), []);
});

test('a check that does not exist, was deleted or belongs to another organization is not run', async () => {
  const store = await withCheck();
  const { bind } = startProcess(store).commands;
  await rejects(bind(executeCheck)('check0000009', aContext()), NotFound);
  await rejects(bind(executeCheck)(CHECK, aContext({ organizationId: 'org000000002' })), NotFound);
  await bind(deleteCheck)(CHECK, aContext());
  await rejects(bind(executeCheck)(CHECK, aContext()), NotFound);
  assert.equal(await jobsIn(store), []);
});

test('a repeated request whose response was lost returns the same job', async () => {
  const store = await withCheck();
  const context = repeatable();
  const again = (): CommandContext => aContext({ repeatable: true, commandId: context.commandId });
  await rejects(startProcess(dyingAtAppend(store, 1)).commands.bind(executeCheck)(CHECK, context), ProcessDied);
  const id = await startProcess(store).commands.bind(executeCheck)(CHECK, again());
  assert.is(await startProcess(store).commands.bind(executeCheck)(CHECK, again()), id);
  assert.is((await jobsIn(store)).length, 1);
});

test('a job records the user who requested it', async () => {
  const store = await withCheck();
  const actor = { kind: 'user', id: 'user00000001', role: 'editor' } as const;
  await startProcess(store).commands.bind(executeCheck)(CHECK, aContext({ actor }));
  assert.is((await jobsIn(store))[0]?.user_id, 'user00000001');
});

test.run();
