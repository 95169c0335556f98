import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTickets, scheduleOf } from '../../../service/remote/tickets.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import { CHECK } from '../../domain/check/examples.ts';
import { message, START } from '../../runners/worker/stage.ts';
import { queued, RUNNER } from './stage.ts';

const test = suite('tickets of runs that are handed to remote runners');

test('a ticket describes its run, and is valid only for the runner to which the run was handed', async () => {
  const tickets = createTickets(createMemoryKeys());
  const text = await tickets.issue(queued(), RUNNER);
  const ticket = await tickets.read(text, RUNNER.id);
  assert.equal(
    [ticket?.run_id, ticket?.check_id, ticket?.slot, ticket?.region, ticket?.interval, ticket?.type],
    ['run000000001', CHECK, START, 'EU, West', 60, 'web'],
  );
  assert.is(await tickets.read(text, 'runner000002'), null);
});

test('a ticket is rejected if a character was changed, added or left out', async () => {
  const tickets = createTickets(createMemoryKeys());
  const text = await tickets.issue(queued(), RUNNER);
  const [content = '', signature = ''] = text.split('.');
  const other = Buffer.from(content, 'base64url').toString().replace('"interval":60', '"interval":1');
  const forged = [
    `${Buffer.from(other).toString('base64url')}.${signature}`,
    `${content}.${signature.slice(1)}`,
    `${content}.${signature}x`,
    `${text}.${signature}`,
    content,
    '',
    '.',
  ];
  for (const one of forged) assert.is(await tickets.read(one, RUNNER.id), null, one);
  assert.is(await createTickets(createMemoryKeys()).read(text, RUNNER.id), null, 'of another service');
});

test('a ticket allows offline runs only if the check runs in a single region or always in all of its regions', () => {
  const every = { interval: 60, repeats: false };
  assert.equal(scheduleOf(message({ interval: 60 })), every);
  assert.equal(scheduleOf(message({ interval: 60 }, { retry_enabled: true })), { interval: 60, repeats: true });
  const regions = ['EU, West', 'IN, Mumbai'];
  assert.is(scheduleOf(message({ interval: 60 }, { regions })), null, 'it rotates through its regions');
  const all = { enabled: true, execution_mode: 'all' };
  assert.equal(scheduleOf(message({ interval: 60 }, { regions, multi_region_execution: all })), every);
  const random = { enabled: true, execution_mode: 'random_n', count: 1 };
  assert.is(scheduleOf(message({ interval: 60 }, { regions, multi_region_execution: random })), null);
  assert.is(scheduleOf(message({ interval: 60, result_type: 'on_demand' })), null);
  assert.is(scheduleOf(message()), null, 'of a scheduler of an older release');
});

test.run();
