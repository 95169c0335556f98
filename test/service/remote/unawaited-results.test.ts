import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CheckResultEvent } from '../../../domain/check-result/events.ts';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../../domain/time.ts';
import { nextSlot, runIdOf } from '../../../runners/scheduler/slots.ts';
import { createUnawaitedResults } from '../../../service/remote/unawaited-results.ts';
import { createTickets, type Ticket } from '../../../service/remote/tickets.ts';
import { createBatches } from '../../../stores/event-store/batches.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { CHECK } from '../../domain/check/examples.ts';
import { SERVER } from '../../domain/check-result/examples.ts';
import { fakeClock } from '../../network/fake-clock.ts';
import { good, START } from '../../runners/worker/stage.ts';
import { queued, RUNNER } from './stage.ts';

type Completed = Extract<CheckResultEvent, { type: 'CheckRunCompleted' }>['data'];

const test = suite('results that no worker waits for');

/** A time before START at which the check was due. */
const SLOT = nextSlot(CHECK, 60, START - HOUR_MS);

const stage = async (whyNot: string | null = null) => {
  const clock = fakeClock(START);
  const log = createMemoryEventStore('results');
  // The fake clock of this test stands still, so batches use real timers that fire immediately.
  const after = (_milliseconds: number, callback: () => void): (() => void) => {
    const timer = setTimeout(callback);
    return () => {
      clearTimeout(timer);
    };
  };
  const strays = createUnawaitedResults({
    results: createBatches({ log, after }),
    clock,
    rejectionReason: async () => whyNot,
  });
  const tickets = createTickets(createMemoryKeys());
  const ticket = await tickets.read(await tickets.issue(queued({ slot: SLOT }), RUNNER), RUNNER.id);
  if (!ticket) throw new Error('There is no ticket.');
  const stored = async (): Promise<Completed[]> =>
    (await log.readStream('check_results-eu-west1')).map(({ data }) => data as Completed);
  const take = (given: Ticket, endedAt = SLOT + 1_000) =>
    strays.take({ ticket: given, outcome: good, server: SERVER, endedAt });
  return { strays, ticket, take, stored };
};

test('a result without a waiting worker is stored once as a late result with the time of its run', async () => {
  const { ticket, take, stored } = await stage();
  assert.equal([await take(ticket), await take(ticket)], [null, null]);
  const [first, ...more] = await stored();
  assert.is(more.length, 0);
  assert.equal([first?.slot, first?.ran_at, first?.late], [instantOf(SLOT), instantOf(SLOT + 1_000), true]);
});

test('the time of the run in a result without a waiting worker is limited to the range from its due time to now', async () => {
  const early = await stage();
  await early.take(early.ticket, 0);
  assert.is((await early.stored())[0]?.ran_at, instantOf(SLOT));
  const late = await stage();
  await late.take(late.ticket, START + HOUR_MS);
  assert.is((await late.stored())[0]?.ran_at, instantOf(START));
});

test('results of deleted checks and of runs that were due days ago are rejected', async () => {
  const gone = await stage('The check was deleted.');
  assert.is(await gone.take(gone.ticket), 'The check was deleted.');
  const { take, ticket, stored } = await stage();
  assert.is(await take({ ...ticket, slot: SLOT - 72 * HOUR_MS }), 'The run was due too long ago.');
  assert.equal([...(await gone.stored()), ...(await stored())], []);
});

test('offline results are accepted only for times at which the check was due', async () => {
  const { strays, ticket } = await stage();
  const slot = SLOT + MINUTE_MS;
  const ended_at = slot + 500;
  const run = strays.runOf(ticket, { slot, ended_at });
  assert.ok(typeof run === 'object');
  assert.equal([run.run_id, run.slot, run.execution_group_id], [runIdOf(CHECK, slot), slot, null]);
  assert.is(run.late_after - run.slot, ticket.late_after - ticket.slot);
  for (const other of [slot + 1, slot - 1, SLOT, SLOT - MINUTE_MS])
    assert.is(strays.runOf(ticket, { slot: other, ended_at }), 'The check was not due then.');
  const later = nextSlot(CHECK, 60, START + HOUR_MS);
  assert.is(strays.runOf(ticket, { slot: later, ended_at: later }), 'The run is in the future.');
  assert.is(strays.runOf({ ...ticket, interval: null }, { slot, ended_at }), 'This run is not repeated.');
});

test.run();
