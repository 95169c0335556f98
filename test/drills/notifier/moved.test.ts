import { cpSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Delivery } from '../../../domain/delivery/state.ts';
import { callApi, programBuiltIn, endPrograms, startOne, uptrailIn, type RunningProgram } from '../../e2e/program.ts';
import { closeServers } from '../../probes/web/servers.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { copyWith } from '../copy.ts';
import { DRILL, EDITS } from './edits.ts';
import { openLineTarget, type LineTarget } from './targets.ts';
import { eventually } from '../../waiting.ts';

/** Time limit that suffices for several starts of a process. */
const IN_TIME = { within: 120_000 };

const ADMIN_API_KEY = 'the-admin-key-of-this-test';

const moved = suite('exported and restored deliveries');
const copy = copyWith(DRILL, EDITS);
moved.after(() => {
  copy.remove();
});
moved.after.each(endPrograms);
moved.after.each(closeServers);

const place = programBuiltIn(copy.folder);
const uptrail = uptrailIn(place);

type Environment = Record<string, string>;

const done = async (environment: Environment, ...parameters: string[]): Promise<string> => {
  const { code, stdout, stderr } = await uptrail(environment, ...parameters);
  assert.is(code, 0, stderr);
  return stdout;
};

/** Returns the deliveries, sorted by receiver. The list is empty while the read model is being built. */
const deliveriesIn = async (environment: Environment): Promise<Delivery[]> => {
  const { stdout } = await uptrail(environment, 'deliveries', '--json');
  const listed = stdout.split('\n').filter((line) => line !== '');
  return (
    listed
      // Positions differ between the two logs, so they are not compared.
      .map((line): Delivery => ({ ...(JSON.parse(line) as Delivery), planned_position: 0 }))
      .sort((one, other) => (one.receiver_id < other.receiver_id ? -1 : 1))
  );
};

const statusesOf = (deliveries: readonly Delivery[]): string =>
  deliveries
    .map(({ status }) => status)
    .sort()
    .join(' ');

/** Starts a service, notifies the targets of an incident, and stops the service. */
const serveAndNotify = async (environment: Environment, targets: readonly LineTarget[]): Promise<void> => {
  const program: RunningProgram = await startOne(['serve'], environment, place);
  const make = async (path: string, body: object): Promise<string> => {
    const response = await callApi(program, ADMIN_API_KEY, 'POST', path, body);
    assert.ok(response.status < 300, JSON.stringify(response.body));
    return (response.body as { id: string }).id;
  };
  const page = await make('/v1/pages', { name: 'Shop' });
  for (const { port } of targets) {
    await make(`/v1/pages/${page}/components`, { name: 'Target', description: `127.0.0.1:${port}` });
  }
  const incident = { name: 'Outage', body: 'We look.', status: 'investigating', components: {} };
  await make(`/v1/pages/${page}/incidents`, incident);
  await eventually(async () => {
    const deliveries = await deliveriesIn(environment);
    const tried = deliveries.filter(({ attempt_count }) => attempt_count > 0);
    return tried.length === targets.length && statusesOf(deliveries) === 'delivered given_up planned';
  }, IN_TIME);
  await program.end('SIGTERM');
};

moved(
  'exported and restored deliveries are complete, and only pending ones are sent, under their ids, and after a restore only when reactors are resumed',
  inTemporaryFolder(async (folder) => {
    const from = { DATA_DIR: `${folder}/from`, ADMIN_API_KEY };
    const [good, gone, busy] = [await openLineTarget('ok'), await openLineTarget('no'), await openLineTarget('reset')];
    await serveAndNotify(from, [good, gone, busy]);
    const before = await deliveriesIn(from);
    const [id] = busy.received;
    busy.answer = 'ok';

    const imported = { DATA_DIR: `${folder}/imported`, ADMIN_API_KEY };
    await done(from, 'export', `${folder}/moved`);
    await done(from, 'keys', 'export', `${folder}/moved/keys.jsonl`);
    await done(imported, 'import', `${folder}/moved`);
    const wrappedBy = ['--wrapped-by', `${folder}/from/secrets-key`];
    await done(imported, 'keys', 'import', `${folder}/moved/keys.jsonl`, ...wrappedBy);

    const restored = { DATA_DIR: `${folder}/restored`, ADMIN_API_KEY };
    await done(from, 'backup', `${folder}/backup`);
    await done(restored, 'restore', `${folder}/backup`);
    const dropping = { DATA_DIR: `${folder}/dropping`, ADMIN_API_KEY };
    await done(dropping, 'restore', `${folder}/backup`);
    for (const name of ['restored', 'dropping']) {
      cpSync(`${folder}/from/secrets-key`, `${folder}/${name}/secrets-key`);
    }

    const received = busy.received.length;
    const unknown = await uptrail(dropping, 'reactors', 'resume');
    assert.match(unknown.stderr, 'can be determined only while the service runs');
    await done(dropping, 'reactors', 'resume', '--drop');
    const program = await startOne(['serve'], dropping, place);
    await eventually(async () => statusesOf(await deliveriesIn(dropping)) === 'delivered given_up given_up', IN_TIME);
    const dropped = (await deliveriesIn(dropping)).find(({ given_up }) => given_up?.because === 'dropped');
    assert.equal([dropped?.id, dropped?.given_up?.error_message], [id, 'The message was dropped after a restore.']);
    assert.is(busy.received.length, received);
    await program.end('SIGTERM');

    for (const there of [imported, restored]) {
      const received = { good: good.received.length, gone: gone.received.length, busy: busy.received.length };
      const program = await startOne(['serve'], there, place);
      if (there === restored) {
        // After a restore the reactors are halted: pending deliveries wait until an operator decides.
        assert.match(program.output.stdout, 'Reactors are halted.');
        await eventually(async () => (await deliveriesIn(there)).length === before.length, IN_TIME);
        assert.equal(await deliveriesIn(there), before);
        assert.is(busy.received.length, received.busy);
        const unsaid = await uptrail(there, 'reactors', 'resume');
        assert.is(unsaid.code, 1);
        assert.match(
          unsaid.stderr,
          'One message is waiting to be delivered. Use --send to deliver waiting messages, or --drop',
        );
        assert.match(unsaid.stdout, id ?? '');
        await done(there, 'reactors', 'resume', '--send');
      }
      await eventually(async () => statusesOf(await deliveriesIn(there)) === 'delivered delivered given_up', IN_TIME);
      const after = await deliveriesIn(there);
      await program.end('SIGTERM');
      assert.equal([good.received.length, gone.received.length], [received.good, received.gone]);
      assert.equal(busy.received.slice(received.busy), [id]);
      for (const [index, delivery] of before.entries()) {
        if (delivery.status !== 'planned') assert.equal(after[index], delivery);
        else assert.equal(after[index]?.attempts.slice(0, -1), delivery.attempts);
      }
    }
  }),
);

moved.run();
