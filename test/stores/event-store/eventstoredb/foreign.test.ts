import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEventStoreDb, type EventStoreDb } from '../../../../stores/event-store/eventstoredb/open.ts';
import { logStreams } from '../../../../stores/event-store/eventstoredb/log-streams.ts';
import { connect } from '../../../../stores/eventstoredb/connection.ts';
import { event, ids } from '../../../contracts/event-store/events.ts';
import { ownPrefix } from '../../../servers/eventstoredb/leftovers.ts';
import { foreignStreamNames, writeForeign } from '../../../servers/eventstoredb/foreign-programs.ts';
import { deleteStreams, openServer } from './opened.ts';
import { followInBackground } from './opened-double.ts';
import { eventually } from '../../../waiting.ts';

const test = suite('the logs on a shared EventStoreDB');
const server = await openServer();

test('two services can share an EventStoreDB with other programs, even if the prefix of one service begins with the prefix of the other', async () => {
  const prefix = ownPrefix();
  const prefixes = [prefix, `${prefix}b.`];
  const foreign = foreignStreamNames(prefix).filter((stream) => !stream.startsWith(`${prefix}b.`));
  const connection = connect(server.url);
  const open = (): EventStoreDb[] => prefixes.map((each) => openEventStoreDb(server.url, { prefix: each }));
  const services = open();
  const follows = services.flatMap(({ main, results }) => [followInBackground(main), followInBackground(results)]);
  try {
    // Foreign events come before, between and after our own events.
    for (const stream of foreign) await writeForeign(connection, stream);
    const appended = [];
    for (const { main, results } of services) {
      const [log, incident, result] = [event(1), event(2), event(3)];
      await results.append('log-results', [log], 'any');
      await main.append('incidents-1', [incident], 'no_stream');
      for (const stream of foreign) await writeForeign(connection, stream);
      await results.append('check_results-eu', [result], 'any');
      appended.push([incident], [log, result]);
    }
    for (const stream of foreign) await writeForeign(connection, stream);
    for (const [index, { seen }] of follows.entries()) {
      const expected = appended[index] ?? [];
      await eventually(() => seen.length >= expected.length);
    }
    const again = open();
    for (const [index, { main, results }] of again.entries()) {
      const [inMain = [], inResults = []] = appended.slice(2 * index);
      assert.equal(ids(await main.readAll({ after: 0n })), ids(inMain));
      assert.equal(ids(await main.readAll({ after: 0n, categories: ['incidents'] })), ids(inMain));
      assert.equal(ids(await results.readAll({ after: 0n })), ids(inResults));
      assert.equal(ids(await main.readStream('incidents-1')), ids(inMain));
    }
    for (const { close } of again) await close();
    for (const [index, { seen }] of follows.entries()) assert.equal(ids(seen), ids(appended[index] ?? []));
  } finally {
    for (const { stop } of follows) await stop();
    for (const { close } of services) await close();
    await connection.close();
    if (server.real) {
      const ours = ['incidents-1', 'check_results-eu', 'log-results'];
      await deleteStreams(server.url, [...foreign, ...prefixes.flatMap((each) => ours.map((name) => each + name))]);
    }
  }
});

test('filters select all events of a service on the server, and none of other programs', () => {
  for (const prefix of ['uptrail.', 'a_1.b.', '']) {
    for (const name of ['main', 'results'] as const) {
      const { filter, contains } = logStreams(name, prefix);
      const asked = filter();
      const passes = (stream: string): boolean =>
        asked !== null &&
        ('regex' in asked
          ? new RegExp(asked.regex).test(stream)
          : asked.prefixes.some((start) => stream.startsWith(start)));
      const others =
        prefix === ''
          ? ['$all-1', '$$incidents-1', 'Incidents-1', 'x.incidents-1', 'incidents']
          : foreignStreamNames(prefix);
      for (const stream of others) assert.not(contains(stream), `${name} ${stream}`);
      if (name === 'main') for (const stream of others) assert.not(passes(stream), stream);
      const mine = name === 'main' ? ['incidents-1', 'log-main', 'only_newer-1'] : ['check_results-eu', 'log-results'];
      for (const stream of mine) {
        assert.ok(contains(prefix + stream), stream);
        assert.ok(passes(prefix + stream), stream);
      }
      for (const stream of ['check_runs-eu', name === 'main' ? 'check_results-eu' : 'incidents-1']) {
        assert.not(contains(prefix + stream), stream);
        assert.not(passes(prefix + stream), stream);
      }
    }
  }
});

test.after(() => server.close());
test.run();
