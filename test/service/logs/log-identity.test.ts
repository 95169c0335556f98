import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  recognizeLogs,
  refuseOtherPrefix,
  refuseOtherLogs,
  refuseOtherService,
  acceptLog,
} from '../../../service/logs/log-identity.ts';
import { OperatorError } from '../../../service/operator-error.ts';
import { REACTORS_HALTED } from '../../../stores/coordination/port.ts';
import { createMemoryCoordination } from '../../../stores/coordination/memory.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { openLogIdentity } from '../../../stores/event-store/identity.ts';
import { event } from '../../contracts/event-store/events.ts';
import { rejects } from '../../rejects.ts';

const test = suite('recognition of logs');

const deployment = (prefix: string | null = 'uptrail.') => ({
  main: createMemoryEventStore('main'),
  results: createMemoryEventStore('results'),
  coordination: createMemoryCoordination(),
  prefix,
});

/** Returns a deployment after its first start. */
const started = async (prefix: string | null = 'uptrail.') => {
  const one = deployment(prefix);
  const { logId } = await recognizeLogs(one);
  return { ...one, logId };
};

/** Asserts that a start is refused, and that it changes nothing. */
const refused = async (given: ReturnType<typeof deployment>, sentence: RegExp): Promise<void> => {
  const before = await given.coordination.readByPrefix('');
  const [events, results] = [await given.main.readAll({ after: 0n }), await given.results.readAll({ after: 0n })];
  await rejects(recognizeLogs(given), OperatorError, sentence);
  await rejects(refuseOtherLogs(given), OperatorError, sentence);
  assert.equal(await given.coordination.readByPrefix(''), before);
  assert.equal(await given.main.readAll({ after: 0n }), events);
  assert.equal(await given.results.readAll({ after: 0n }), results);
};

test('a deployment recognizes its logs', async () => {
  for (const prefix of ['uptrail.', '', null]) {
    const one = await started(prefix);
    assert.is((await recognizeLogs(one)).logId, one.logId);
    await refuseOtherLogs(one);
  }
});

test('a start is refused if the database belongs to a log under another prefix', async () => {
  const { coordination, logId } = await started('uptrail.');
  const sentence = new RegExp(
    `belongs to the log main ${logId} in streams that begin with uptrail\\., but EVENTSTOREDB_PREFIX is b\\.: .+ set EVENTSTOREDB_PREFIX=uptrail\\.`,
  );
  await refused({ ...deployment('b.'), coordination }, sentence);
  const other = await started('b.');
  await refused({ ...other, coordination }, sentence);
  await refused({ ...deployment(''), coordination }, /but EVENTSTOREDB_PREFIX is none/);
});

test('a database of a release without prefixes is accepted only with an empty prefix', async () => {
  const one = await started('');
  const coordination = createMemoryCoordination();
  for (const name of ['log:main', 'log:results']) {
    await coordination.write(name, (await one.coordination.read(name)) ?? '');
  }
  const sentence = new RegExp(`${one.logId} in streams without a prefix, .+ set EVENTSTOREDB_PREFIX=none`);
  await refused({ ...deployment('uptrail.'), coordination }, sentence);
  assert.is((await recognizeLogs({ ...one, coordination })).logId, one.logId);
  await refused({ ...deployment('uptrail.'), coordination }, sentence);
});

test('a database of a release without prefixes is recognized by its read models', async () => {
  const coordination = createMemoryCoordination();
  await coordination.nextGeneration('incidents@1', 1n);
  await refused({ ...deployment('uptrail.'), coordination }, /EVENTSTOREDB_PREFIX=none/);
});

test('of two concurrent first starts with different prefixes, one is rejected', async () => {
  const coordination = createMemoryCoordination();
  const both = ['a.', 'b.'].map((prefix) => ({ ...deployment(prefix), coordination }));
  const outcomes = await Promise.allSettled(both.map(recognizeLogs));
  const refusals = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  assert.is(refusals.length, 1);
  assert.match(String(refusals[0]?.reason), /begin with [ab]\., but EVENTSTOREDB_PREFIX is [ab]\./);
  const [loser] = both.filter((_, index) => outcomes[index]?.status === 'rejected');
  assert.is(await loser?.main.first(), null, 'nothing was appended');
});

test('of two concurrent first starts on different servers, one is rejected', async () => {
  const coordination = createMemoryCoordination();
  const both = [deployment(), deployment()].map((one) => ({ ...one, coordination }));
  const outcomes = await Promise.allSettled(both.map(recognizeLogs));
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  const refusal = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
  assert.match(String(refusal.reason), 'The coordination data belongs to the log');
});

test('a first start that is overtaken by another first start at any point continues with the same logs', async () => {
  for (let call = 0, overtaken = true; overtaken; call++) {
    const one = deployment();
    let calls = 0;
    overtaken = false;
    const overtake = async (): Promise<void> => {
      if (calls++ !== call) return;
      overtaken = true;
      await recognizeLogs(one);
      await one.coordination.nextGeneration('incidents@1', 1n);
      await one.main.append('page-1', [event()], 'no_stream');
    };
    const coordination = {
      ...one.coordination,
      read: async (name: string) => {
        await overtake();
        return one.coordination.read(name);
      },
      catalogue: async () => {
        await overtake();
        return one.coordination.catalogue();
      },
      writeOnce: async (name: string, value: string) => {
        await overtake();
        return one.coordination.writeOnce(name, value);
      },
    };
    const { logId } = await recognizeLogs({ ...one, coordination });
    assert.is(logId, await one.coordination.read('log:main'));
    assert.is(await one.coordination.read(REACTORS_HALTED), null, `overtaken before call ${call}`);
  }
});

test('a start is refused if the database belongs to another log, with a cluster and on one machine', async () => {
  const [one, other] = [await started(), await started()];
  const both = new RegExp(`belongs to the log main ${one.logId}, but the existing log .+uptrail\\. is ${other.logId}`);
  await refused({ ...other, coordination: one.coordination }, both);
  await refused({ ...one, results: other.results }, /the log results .+ EVENTSTOREDB_PREFIX/);
  const [here, there] = [await started(null), await started(null)];
  await refused({ ...there, coordination: here.coordination }, /Put both from one backup into the data folder/);
});

test('a start is refused if a log that existed before is empty', async () => {
  const one = await started();
  await refused(
    { ...one, main: createMemoryEventStore('main') },
    new RegExp(`is empty in streams .+ \\(${one.logId}\\)`),
  );
  await refused({ ...one, results: createMemoryEventStore('results') }, /^The log results is empty/);
});

test('a start continues an existing log that the database does not know, but halts the reactors', async () => {
  const one = await started();
  await one.main.append('page-1', [event()], 'no_stream');
  const coordination = createMemoryCoordination();
  assert.is((await recognizeLogs({ ...one, coordination })).logId, one.logId);
  assert.ok(await coordination.read(REACTORS_HALTED));
});

test('an import is refused if the database belongs to another service or another prefix', async () => {
  const one = await started();
  await rejects(refuseOtherService('another', one), OperatorError, new RegExp(`another, .+ ${one.logId}: nothing was`));
  await refuseOtherService(one.logId, one);
  await refuseOtherPrefix(one);
  await rejects(refuseOtherPrefix({ ...one, prefix: 'b.' }), OperatorError, /EVENTSTOREDB_PREFIX is b\./);
  const target = deployment('b.');
  await refuseOtherPrefix(target);
  await refuseOtherService(one.logId, target);
  await openLogIdentity(target.main);
  await acceptLog(target.main, target);
  await acceptLog(target.results, target);
  await rejects(refuseOtherPrefix({ ...target, prefix: 'uptrail.' }), OperatorError, /begin with b\./);
  await recognizeLogs(target);
  assert.is(await target.coordination.read(REACTORS_HALTED), null);
});

test.run();
