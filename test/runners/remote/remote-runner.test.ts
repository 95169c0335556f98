import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LocalFailure } from '../../../network/local-failure.ts';
import type { Clock } from '../../../network/clock.ts';
import { systemClock } from '../../../network/clock.ts';
import { KillsItsProcess } from '../../../runners/probes.ts';
import { RunnerRejected } from '../../../runners/remote/connection.ts';
import { rejects } from '../../rejects.ts';
import { eventually } from '../../waiting.ts';
import { startFakeService, type FakeService } from './fake-service.ts';
import { DOWN, endless, OK, startRunner, TOKEN, type Staged } from './stage.ts';
import { HOUR_MS } from '../../../domain/time.ts';

const test = suite('a remote runner');

/** A clock on which pauses take a tenth of their time. */
const HASTY: Clock = {
  ...systemClock,
  after: (milliseconds, callback) => systemClock.after(milliseconds / 10, callback),
};

/** Returns a test with a service and a connected runner. */
const connected =
  (
    body: (world: { service: FakeService } & ReturnType<typeof startRunner>) => Promise<void>,
    staged: Staged = {},
    options: Parameters<typeof startFakeService>[0] = {},
  ) =>
  async (): Promise<void> => {
    const service = await startFakeService(options);
    const world = startRunner(service.url, staged);
    try {
      await world.connected();
      await body({ service, ...world });
    } finally {
      await world.stop();
      await service.stop();
    }
  };

test(
  'a runner describes itself, with its token and protocol version',
  connected(async ({ service }) => {
    const [hello] = service.hellos();
    assert.ok(hello);
    assert.is(hello.protocol, 1);
    assert.equal([hello.release, hello.instance, hello.region, hello.capacity], ['1.2.3', 'instance', null, 10]);
    assert.equal(hello.types, ['web']);
    for (const { authorization, protocol } of service.received)
      assert.equal([authorization, protocol], [`Bearer ${TOKEN}`, '1']);
  }),
);

test(
  'a runner executes the runs assigned to it, and reports each result with its ticket',
  connected(async ({ service }) => {
    service.hand({});
    const [result] = await eventually(() => service.results().length === 1 && service.results());
    assert.ok(result && 'outcome' in result);
    assert.equal([result.delivery, result.ticket, result.outcome], ['d1', 'ticket of d1', OK]);
    assert.ok(result.age_ms >= 0 && result.age_ms < 10_000);
    const [report] = service.reports().filter(({ results }) => results.length > 0);
    assert.type(report?.clock_offset_ms, 'number');
  }),
);

test(
  'a runner starts a delivery once, no matter how often the stream repeats it',
  connected(async ({ service }) => {
    service.hand({});
    service.hand({});
    service.hand({ delivery: 'd2', ticket: 'ticket of d2', slot: 1 });
    await eventually(() => service.results().length === 2);
    assert.equal(
      service
        .results()
        .map(({ delivery }) => delivery)
        .sort(),
      ['d1', 'd2'],
    );
  }),
);

test('a run that is delivered again during its execution is reported with the ticket of the later delivery', async () => {
  const service = await startFakeService();
  let end = (): void => undefined;
  const ending = new Promise<void>((resolve) => (end = resolve));
  const run = async () => {
    await ending;
    return OK;
  };
  const { runner, stop, connected: whenConnected } = startRunner(service.url, { run });
  await whenConnected();
  service.hand({ slot: 1 });
  service.hand({ slot: 1, delivery: 'd2', ticket: 'ticket of d2' });
  service.hand({ slot: 2, delivery: 'd3', ticket: 'ticket of d3' });
  await eventually(() => runner.state().inFlight === 2);
  end();
  await eventually(() => service.results().length === 2);
  assert.equal(
    service.results().map(({ ticket }) => ticket),
    ['ticket of d2', 'ticket of d3'],
  );
  await stop();
  await service.stop();
});

for (const [what, run, ended] of [
  [
    'it ended its process twice',
    () => new KillsItsProcess('it was ended by SIGABRT'),
    { killed: 'it was ended by SIGABRT' },
  ],
  ['it could not be executed', () => new LocalFailure('There is no room.'), { trouble: 'There is no room.' }],
] as const) {
  test(
    `a runner reports about a run without an outcome that ${what}`,
    connected(
      async ({ service }) => {
        service.hand({});
        const [result] = await eventually(() => service.results().length === 1 && service.results());
        assert.ok(result);
        for (const [name, value] of Object.entries(ended))
          assert.equal((result as unknown as Record<string, unknown>)[name], value);
        assert.not('outcome' in result);
      },
      { run: () => Promise.reject(run()) },
    ),
  );
}

test(
  'a runner marks a failure as suspect while its anchors are silent',
  connected(
    async ({ service }) => {
      service.hand({});
      const [result] = await eventually(() => service.results().length === 1 && service.results());
      assert.ok(result && 'outcome' in result);
      assert.is(result.outcome.suspect, true);
    },
    { run: async () => DOWN, anchors: { silent: async () => true } },
  ),
);

test(
  'a runner ends a cancelled run without a result',
  connected(
    async ({ service, runner }) => {
      service.hand({});
      await eventually(() => runner.state().inFlight === 1);
      service.send({ kind: 'cancel', delivery: 'd1' });
      await eventually(() => runner.state().inFlight === 0);
      assert.equal(service.results(), []);
    },
    { run: endless },
  ),
);

test(
  'a runner returns runs that may no longer start, and reports runs that it can’t parse',
  connected(async ({ service }) => {
    service.hand({ not_after: Date.now() - 1_000 });
    service.hand({ delivery: 'd2', ticket: 'ticket of d2', check: null as never });
    await eventually(() => service.results().length === 2);
    const ends = new Map(service.results().map((result) => [result.delivery, Object.keys(result)]));
    assert.ok(ends.get('d1')?.includes('aborted'));
    assert.ok(ends.get('d2')?.includes('trouble'));
  }),
);

/** Returns a clock that is an hour off, and can be corrected during the test. */
const wrongClock = (): Clock & { off: number } => {
  const clock = { ...systemClock, off: HOUR_MS, now: () => Date.now() + clock.off };
  return clock;
};

test('a runner uses the clock of the service, no matter how wrong the clock of its machine is', async () => {
  const service = await startFakeService();
  const clock = wrongClock();
  const { connected: whenConnected, stop } = startRunner(service.url, { clock });
  await whenConnected();
  service.hand({ not_after: Date.now() + 5_000 });
  await eventually(() => service.results().length === 1);
  clock.off = -HOUR_MS;
  service.hand({ delivery: 'd2', ticket: 'ticket of d2', slot: 1, not_after: Date.now() + 5_000 });
  await eventually(() => service.results().length === 2);
  for (const result of service.results()) {
    assert.ok('outcome' in result);
    assert.ok(result.age_ms < 10_000);
  }
  const offsets = service
    .reports()
    .filter(({ results }) => results.length > 0)
    .map((report) => report.clock_offset_ms ?? 0);
  assert.ok(Math.abs((offsets[0] ?? 0) - HOUR_MS) < 60_000);
  assert.ok(Math.abs((offsets[1] ?? 0) + HOUR_MS) < 60_000);
  await stop();
  await service.stop();
});

test(
  'a runner repeats a report whose receipt was lost',
  connected(async ({ service }) => {
    service.loseReceipts(2);
    service.hand({});
    await eventually(() => service.results().length === 3);
    assert.equal(
      service.results().map(({ delivery }) => delivery),
      ['d1', 'd1', 'd1'],
    );
  }),
);

test(
  'a runner repeats a report that the service could not store, after the requested pause',
  connected(async ({ service }) => {
    service.answerInstead('results', { status: 503, headers: { 'Retry-After': '0' } });
    service.hand({});
    await eventually(() => service.results().length === 2);
  }),
);

test(
  'a runner splits a report that is too large, and leaves out single results that are too large',
  connected(async ({ service, reported }) => {
    service.answerInstead('results', { status: 413 }, { status: 413, message: 'It is too large.' });
    service.hand({});
    service.hand({ delivery: 'd2', ticket: 'ticket of d2', slot: 1 });
    await eventually(() => reported.includes('refused: It is too large.') || service.reports().length > 3);
    await eventually(() => service.results().some(({ delivery }) => delivery === 'd2'));
  }),
);

test(
  'a runner reopens its stream in the same session, and starts a new session if the service no longer knows the session',
  connected(async ({ service, reported }) => {
    service.dropStreams();
    await eventually(() => reported.filter((one) => one === 'connected').length === 2);
    assert.is(service.hellos().length, 1);
    service.forgetSession();
    service.dropStreams();
    await eventually(() => reported.filter((one) => one === 'connected').length === 3);
    assert.is(service.hellos().length, 2);
    assert.not(reported.some((one) => one.includes('There is no such session.')));
  }),
);

test(
  'a runner reports the runs of its previous session in its new session',
  connected(async ({ service, reported }) => {
    service.forgetSession();
    service.hand({});
    await eventually(() => service.results().length === 2);
    assert.is(service.hellos().length, 2);
    assert.ok(reported.includes('lost'));
    const paths = service.of('results').map(({ path }) => path);
    assert.equal(paths, ['/internal/runners/sessions/s1/results', '/internal/runners/sessions/s2/results']);
  }),
);

test('a runner waits before it reconnects if the service does not know a session that was just created', async () => {
  const service = await startFakeService();
  service.answerInstead('work', { status: 404, message: 'There is no such session.' });
  const { reported, stop, connected: whenConnected } = startRunner(service.url);
  await whenConnected();
  assert.equal(reported, ['failed: There is no such session.', 'connected']);
  await stop();
  await service.stop();
});

test(
  'a runner starts a new session when the session ends',
  connected(async ({ service }) => {
    service.send({ kind: 'end', reason: 'stopping' });
    await eventually(() => service.hellos().length === 2 && service.isStreaming());
  }),
);

test(
  'a runner treats a silent stream as broken',
  connected(
    async ({ service, reported }) => {
      await eventually(() => reported.filter((one) => one === 'connected').length >= 2);
      assert.ok(service.of('work').length >= 2);
    },
    {},
    { silence: 300 },
  ),
);

for (const [what, text] of [
  ['an event that is not JSON', 'data: {"kind":\n\n'],
  ['an event that is not an object', 'data: 7\n\n'],
  ['a run without a ticket', 'data: {"kind":"run","run":{"delivery":"d1"}}\n\n'],
  ['an endless event', `data: ${'x'.repeat(9_000_000)}`],
] as const) {
  test(
    `a runner reconnects when the stream contains ${what}`,
    connected(async ({ service, reported }) => {
      service.write(text);
      await eventually(() => reported.filter((one) => one === 'connected').length === 2);
      service.hand({});
      await eventually(() => service.results().length === 1);
    }),
  );
}

test(
  'a runner ignores unknown orders, such as those of later releases',
  connected(async ({ service, reported }) => {
    service.write('data: {"kind":"sing"}\n\n');
    service.hand({ delivery: 'd2', ticket: 'ticket of d2' });
    await eventually(() => service.results().length === 1);
    assert.not(reported.includes('lost'));
  }),
);

test('a runner retries after an invalid response to its connection request', async () => {
  const service = await startFakeService();
  service.answerInstead(
    'sessions',
    { status: 200, body: 'hello' },
    { status: 200, body: '{"session":"x"}' },
    { status: 200, body: `"${'x'.repeat(5_000_000)}"` },
    { status: 302, body: 'elsewhere', headers: { location: 'http://127.0.0.1:1/' } },
  );
  const { reported, stop, connected: whenConnected } = startRunner(service.url, { clock: HASTY });
  await whenConnected();
  assert.is(reported.length, 5);
  assert.match(reported[0] ?? '', 'is not valid JSON');
  assert.match(reported[1] ?? '', 'is not a welcome message');
  assert.match(reported[2] ?? '', 'more than 4194304 bytes');
  assert.match(reported[3] ?? '', 'redirects to another address (302)');
  await stop();
  await service.stop();
});

for (const [what, status] of [
  ['its token is unknown', 401],
  ['its token is for another region', 409],
  ['its release is too old', 426],
] as const) {
  test(`a runner exits with the message of the service when ${what}`, async () => {
    const service = await startFakeService();
    service.answerInstead('sessions', { status, message: 'Not like that.' });
    const { ended, stop } = startRunner(service.url);
    await rejects(ended, RunnerRejected, 'Not like that.');
    await stop();
    await service.stop();
  });
}

test(
  'a runner ends its runs when its token is revoked, starts no other runs, and continues to retry',
  connected(
    async ({ service, runner, reported }) => {
      service.hand({});
      await eventually(() => runner.state().inFlight === 1);
      service.answerInstead('sessions', { status: 401, message: 'The token was revoked.' });
      service.send({ kind: 'end', reason: 'revoked' });
      await eventually(() => reported.includes('failed: The token was revoked.'));
      assert.is(runner.state().inFlight, 0);
      assert.not(runner.state().isConnected);
    },
    { run: endless },
  ),
);

test('a stopping runner returns current runs and ends its session', async () => {
  const service = await startFakeService();
  const { runner, stop, connected: whenConnected, ended } = startRunner(service.url, { run: endless });
  await whenConnected();
  service.hand({});
  await eventually(() => runner.state().inFlight === 1);
  await stop();
  await ended;
  const [result] = service.results();
  assert.ok(result && 'aborted' in result);
  assert.is(service.of('leave').length, 1);
  await service.stop();
});

test(
  'a runner uploads the files of a run before reporting it, and leaves out what cannot be uploaded',
  connected(
    async ({ service }) => {
      service.answerInstead('files', { status: 507, message: 'There is no room.' });
      service.hand({});
      const [result] = await eventually(() => service.results().length === 1 && service.results());
      assert.ok(result && 'outcome' in result);
      assert.equal(
        result.outcome.files?.map(({ staged }) => staged),
        ['stored 3'],
      );
      assert.equal(result.outcome.check_metadata['notes'], ['A file was not stored: There is no room.']);
      assert.is(service.of('files')[1]?.path, '/internal/runners/sessions/s1/files/d1');
    },
    {
      run: async () => ({
        ...OK,
        files: ['a', 'b'].map((name, index) => ({
          reference: `file:${index}`,
          role: 'log' as const,
          name,
          media_type: 'text/plain',
          staged: name.repeat(32),
          size: 3,
        })),
      }),
      staging: {
        read: async function* () {
          yield Buffer.from('abc');
        },
        discard: async () => undefined,
      },
    },
  ),
);

test('an idle runner sends heartbeats', async () => {
  const service = await startFakeService({ silence: 2_000 });
  const { stop, connected: whenConnected } = startRunner(service.url);
  await whenConnected();
  await eventually(() => service.reports().length > 0);
  assert.equal(service.reports()[0]?.results, []);
  await stop();
  await service.stop();
});

test.run();
