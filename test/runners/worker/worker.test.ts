import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { definitionKey } from '../../../domain/check/definition-key.ts';
import type { CheckRunCompleted } from '../../../domain/check-result/events.ts';
import type { RunMessage } from '../../../runners/run-message.ts';
import type { BoundSecret } from '../../../runners/worker/open-secrets.ts';
import { createMemoryKeys } from '../../../stores/keys/memory.ts';
import type { Keys } from '../../../stores/keys/port.ts';
import { RunAborted, type Outcome, type Run } from '../../../probes/engine/check-type.ts';
import { LocalFailure } from '../../../network/local-failure.ts';
import { KillsItsProcess } from '../../../runners/probes.ts';
import { createMemoryEventStore } from '../../../stores/event-store/memory.ts';
import { StoreUnavailable, type EventStore } from '../../../stores/event-store/port.ts';
import { SERVER } from '../../domain/check-result/examples.ts';
import { CHECK, ORGANIZATION } from '../../domain/check/examples.ts';
import { forgetfulStore } from '../../stores/event-store/forgetful-store.ts';
import { settled } from '../../network/fake-clock.ts';
import { bad, good, message, stage, START } from './stage.ts';

const working = suite('a worker');
type Stage = ReturnType<typeof stage>;

const staged = (
  sentence: string,
  probe: Run,
  run: (given: Stage) => Promise<void>,
  more: Parameters<typeof stage>[1] = {},
): void => {
  working(sentence, async () => {
    const given = stage(probe, more);
    try {
      await run(given);
    } finally {
      await given.end();
    }
  });
};

/**
 * Runs a check on a worker once for each of these outcomes, with silent or responding anchors.
 *
 * @returns whether each stored result is suspect
 */
const suspectBy = async (silent: boolean, ...outcomes: readonly Outcome[]): Promise<boolean[]> => {
  const left = [...outcomes];
  const anchors = { silent: async () => silent, last: () => null, stop: () => undefined };
  const given = stage(async () => left.shift() ?? good, { anchors });
  for (let offered = 0; offered < outcomes.length; offered++) {
    await given.offer();
    await given.flush();
  }
  const stored = await given.stored();
  await given.end();
  return stored.map(({ data }) => (data as CheckRunCompleted).suspect === true);
};

working(
  'a worker stores a failure as suspect while its anchors are silent, but only if the run reached nothing',
  async () => {
    const wrong: Outcome = { ...good, status: 'failed', reason: 'status' };
    const unanswered: Outcome = { ...bad, reason: 'timeout' };
    assert.equal(await suspectBy(true, bad, unanswered, wrong, good), [true, true, false, false]);
    assert.equal(await suspectBy(false, bad, unanswered, good), [false, false, false]);
  },
);

/** Creates a probe that waits until the run is released or ended. */
const patient = () => {
  const waiting: (() => void)[] = [];
  const run: Run = (_, { signal }) =>
    new Promise((resolve, reject) => {
      waiting.push(() => {
        resolve(good);
      });
      signal.addEventListener('abort', () => {
        reject(new RunAborted());
      });
    });
  return {
    run,
    letGo: () => {
      waiting.splice(0).forEach((go) => {
        go();
      });
    },
  };
};

staged(
  'a worker stores an outcome as an event in the stream of its region',
  async () => bad,
  async (given) => {
    await given.offer();
    await given.flush();
    const [event] = await given.stored();
    assert.equal(event?.type, 'CheckRunCompleted');
    const { result_id, ...data } = event?.data as { result_id: string };
    assert.match(result_id, /^[a-z0-9]{12}$/);
    assert.equal(data, {
      check_id: CHECK,
      organization_id: ORGANIZATION,
      check_type: 'web',
      definition: definitionKey(message().definition),
      run_id: 'run000000000',
      slot: '2026-11-20T15:00:00.000000',
      result_type: 'regular',
      region: 'EU, West',
      status: 'down',
      reason: 'connect',
      response_time: null,
      error_message: 'Connection refused by 127.0.0.1:81.',
      credits: 1,
      check_server: SERVER,
      check_metadata: { connected: false },
    });
    assert.is(event?.metadata.command_id, 'run000000000');
    assert.is(event?.metadata.organization_id, ORGANIZATION);
    assert.equal(given.received.finished, ['run000000000']);
    assert.equal(given.received.outcomes, ['stored']);
    assert.is(given.received.stored, 1);
  },
);

staged(
  'a worker stores the results of many runs with one append',
  async () => good,
  async (given) => {
    for (let i = 0; i < 30; i++) await given.offer();
    assert.equal(await given.stored(), []);
    assert.equal(given.received.finished, []);
    await given.flush();
    assert.is((await given.stored()).length, 30);
    assert.is(given.received.finished.length, 30);
  },
);

staged(
  'a worker stores results without waiting when no more runs can be in progress',
  async () => good,
  async (given) => {
    for (let i = 0; i < 7; i++) await given.offer();
    assert.is((await given.stored()).length, 6);
    await given.flush();
    assert.is((await given.stored()).length, 7);
  },
  { concurrency: 3 },
);

staged(
  'a worker stores one result of a run that is delivered twice',
  async () => good,
  async (given) => {
    await given.offer(message(), { run_id: 'same00000000' });
    await given.offer(message(), { run_id: 'same00000000' });
    await given.flush();
    assert.is((await given.stored()).length, 1);
    assert.is(given.received.finished.length, 2);
  },
);

staged(
  'a worker decrypts the encrypted texts of a definition for its run, and stores none of them in plain text',
  async (check) => ({ ...good, check_metadata: { asked: Object.keys(check.parameters) }, error_message: null }),
  async (given) => {
    const password = await given.keys.seal('check-x', 'hunter2 hunter2', {
      organizationId: message().organization_id,
      field: 'parameters.http_request.password',
    });
    await given.offer(message({}, { http_request: { password } }));
    await given.flush();
    assert.not.match(JSON.stringify((await given.stored())[0]?.data), 'hunter2');
  },
);

working('a worker passes the decrypted texts to the probe', async () => {
  let seen: unknown;
  const given = stage(async ({ parameters }) => {
    seen = parameters;
    return good;
  });
  const headers = {
    'X-Api-Key': await given.keys.seal('check-x', 'secret', {
      organizationId: message().organization_id,
      field: 'parameters.http_request.headers.X-Api-Key',
    }),
  };
  await given.offer(message({}, { http_request: { method: 'GET', headers } }));
  assert.equal(seen, { http_request: { method: 'GET', headers: { 'X-Api-Key': 'secret' } } });
  await given.flush();
  await given.end();
});

working('a worker passes escaped text to the probe as the user sent it, and decrypts only sealed fields', async () => {
  let seen: unknown;
  const given = stage(async ({ parameters }) => {
    seen = parameters;
    return good;
  });
  const place = (name: string) => ({
    organizationId: message().organization_id,
    field: `parameters.http_request.headers.${name}`,
  });
  const stolen = await given.keys.seal('check-x', 'secret', place('a'));
  const headers = {
    key: await given.keys.seal('check-x', 'one', place('key')),
    '\\sealed': await given.keys.seal('check-x', 'two', place('\\sealed')),
  };
  const note = { key: stolen.key, '\\sealed': stolen.sealed };
  await given.offer(message({}, { http_request: { headers }, note, send_text: stolen }));
  const asSent = { http_request: { headers: { key: 'one', sealed: 'two' } }, note: stolen, send_text: stolen };
  assert.equal(seen, asSent);
  await given.flush();
  await given.end();
});

working('a worker repeats a failed run once if requested, and stores only the second outcome', async () => {
  for (const [second, expected] of [
    [good, 'ok'],
    [bad, 'down'],
  ] as const) {
    const outcomes = [{ ...bad, status: 'failed' as const }, second];
    const given = stage(async () => outcomes.shift() ?? good);
    await given.offer(message({}, { retry_enabled: true }));
    await given.flush();
    assert.equal(
      (await given.stored()).map(({ data }) => (data as { status: string }).status),
      [expected],
    );
    assert.is(outcomes.length, 0);
    await given.end();
  }
});

working(
  'a worker does not repeat a failed run that is on demand or multi-region, or whose check does not request repetition',
  async () => {
    for (const content of [
      message({ result_type: 'on_demand', execution_id: 'job000000001' }, { retry_enabled: true }),
      message({ execution_group_id: 'group0000001' }, { retry_enabled: true }),
      message({}, { retry_enabled: false }),
      message(),
    ]) {
      let runs = 0;
      const given = stage(async () => {
        runs += 1;
        return bad;
      });
      await given.offer(content);
      await given.flush();
      assert.is(runs, 1);
      assert.is((await given.stored()).length, 1);
      await given.end();
    }
  },
);

staged(
  'a worker drops a run that may no longer start',
  async () => good,
  async (given) => {
    await given.offer(message(), { not_after: START - 1 });
    await given.flush();
    assert.equal(await given.stored(), []);
    assert.equal(given.received.dropped, ['late']);
    assert.equal((await given.queue.depths())[0]?.parked, 0);
  },
);

working(
  'a worker marks a result as late if it is recorded more than ten seconds after the latest time at which the run should end',
  async () => {
    const onDemand = { result_type: 'on_demand', execution_id: 'job000000001' } as const;
    const parallel = { execution_group_id: 'group0000001', answer_by: START + 40_000 };
    for (const [content, seconds] of [
      [message(), 20],
      [message({}, { retry_enabled: true }), 30],
      [message(onDemand), 80],
      [message(parallel), 40],
    ] as const) {
      for (const over of [0, 1]) {
        const given = stage(async () => {
          given.clock.set(START + seconds * 1_000 + over);
          return good;
        });
        await given.offer(content);
        await given.flush();
        const [event] = await given.stored();
        assert.is((event?.data as { late?: boolean }).late, over === 0 ? undefined : true, `${seconds} s`);
        await given.end();
      }
    }
  },
);

working('a worker reports that a run has started, and stores its result only after that', async () => {
  let tell: () => void = () => undefined;
  const given = stage(async () => good, { began: () => new Promise((resolve) => (tell = resolve)) });
  await given.offer();
  await given.flush();
  assert.equal(await given.stored(), []);
  tell();
  await settled();
  await given.flush();
  assert.is((await given.stored()).length, 1);
  await given.end();
});

working('a worker marks a result as outdated if its check was changed in the meantime', async () => {
  const given = stage(async () => good, { outdated: async () => true });
  await given.offer(message({ result_type: 'on_demand', execution_id: 'job000000001' }));
  await given.flush();
  assert.is(((await given.stored())[0]?.data as { outdated?: boolean }).outdated, true);
  await given.end();
});

working('a worker stores no result of a run that is no longer wanted when it starts or when it is done', async () => {
  for (const answers of [[false], [true, false]]) {
    const requested = [...answers];
    const given = stage(async () => good, { wanted: () => requested.shift() ?? false });
    await given.offer();
    await given.flush();
    assert.equal(await given.stored(), []);
    assert.equal(given.received.dropped, ['unwanted']);
    assert.is(requested.length, 0);
    await given.end();
  }
});

working('a worker can end a run in flight without a result', async () => {
  const { run } = patient();
  const given = stage(run);
  await given.offer();
  assert.is(given.worker.inFlight(), 1);
  given.worker.cancel('some other run');
  assert.is(given.worker.inFlight(), 1);
  given.worker.cancel('run000000000');
  await settled();
  assert.is(given.worker.inFlight(), 0);
  assert.equal(given.received.dropped, ['aborted']);
  assert.equal(given.received.finished, ['run000000000']);
  assert.equal(given.received.outcomes, ['none']);
  assert.equal(await given.stored(), []);
  await given.end();
});

working(
  'a worker that stops ends runs in flight, and waits until results that are being stored are stored',
  async () => {
    const { run, letGo } = patient();
    const given = stage(run);
    await given.offer();
    letGo();
    await settled();
    await given.offer();
    const ended = given.end();
    await given.flush();
    await ended;
    assert.is((await given.stored()).length, 1);
    assert.equal(given.received.dropped, ['aborted']);
  },
);

/**
 * Stores these results one after another.
 *
 * @returns how long each result waited in its batch before the append, in milliseconds
 */
const waitsOf = async (runs: readonly { outcome: Outcome; content?: RunMessage }[]): Promise<number[]> => {
  const left = runs.map(({ outcome }) => outcome);
  const given = stage(async () => left.shift() ?? good);
  const waits: number[] = [];
  for (const { content } of runs) {
    const before = given.received.stored;
    const offeredAt = given.clock.now();
    await given.offer(content ?? message());
    while (given.received.stored === before) {
      await given.clock.advance(10);
      await settled();
    }
    waits.push(given.clock.now() - offeredAt);
  }
  await given.end();
  return waits;
};

working('a worker batches only results that confirm that a check is still up, for up to half a second', async () => {
  const regular = [good, good, bad, bad, good, good].map((outcome) => ({ outcome }));
  assert.equal(await waitsOf(regular), [20, 500, 20, 20, 20, 500]);
});

working('a worker does not delay the result of a job, a multi-region run or the first run of a check', async () => {
  const ofJob = message({ result_type: 'on_demand', execution_id: 'job000000001' });
  const parallel = message({ execution_group_id: 'grp000000001', answer_by: START + 60_000 });
  const first = message({ check_id: 'chk000000009' });
  const contents = [message(), ofJob, parallel, first, message()];
  assert.equal(await waitsOf(contents.map((content) => ({ outcome: good, content }))), [20, 20, 20, 20, 500]);
});

working('a worker appends batched results immediately when it stops', async () => {
  const given = stage(async () => good);
  await given.offer();
  await given.flush();
  await given.offer();
  assert.is((await given.stored()).length, 1);
  await given.end();
  assert.is((await given.stored()).length, 2);
  assert.equal(given.received.outcomes, ['stored', 'stored']);
});

staged(
  'a worker returns a run to the queue if it failed for the runner’s own reasons, which say nothing about the target',
  async () => {
    throw new LocalFailure('The runner has no more sockets.');
  },
  async (given) => {
    await given.offer();
    await given.flush();
    assert.is(given.received.troubles.length, 1);
    await given.clock.advance(1_000);
    assert.is(given.received.troubles.length, 2);
    assert.equal(await given.stored(), []);
    assert.equal(given.received.finished, []);
    assert.is((await given.queue.parked('eu-west1')).length, 1);
  },
);

staged(
  'a worker returns a run of a type that it does not support',
  async () => good,
  async (given) => {
    const { definition } = message();
    await given.offer(message({ definition: { ...definition, type: 'icmp' } }));
    assert.match(String(given.received.troubles[0]), 'This runner cannot run checks of type icmp.');
  },
);

for (const [words, types, outcome] of [
  ['a worker returns a run that another runner of its region can execute', ['web', 'icmp'], 'trouble'],
  ['a worker drops a run that no runner of its region can execute', ['web'], 'unserved'],
] as const) {
  staged(
    words,
    async () => good,
    async (given) => {
      const { definition } = message();
      await given.offer(message({ definition: { ...definition, type: 'icmp' } }));
      assert.equal(given.received.dropped, outcome === 'unserved' ? ['unserved'] : []);
      assert.is(given.received.troubles.length, outcome === 'trouble' ? 1 : 0);
      assert.equal(given.received.outcomes, outcome === 'unserved' ? ['none'] : []);
      assert.equal(await given.stored(), []);
    },
    { runners: { abilities: async () => new Map([['EU, West', types]]) } },
  );
}

working(
  'a worker reports a run that has crashed its probe process twice, and neither stores a result nor repeats the run',
  async () => {
    const reported: unknown[] = [];
    const probe: Run = async () => {
      throw new KillsItsProcess('it was ended by SIGABRT');
    };
    const given = stage(probe, {
      endedProcesses: async ({ run_id }, { id }, cause) => {
        reported.push([run_id, id, cause]);
      },
    });
    await given.offer();
    await given.flush();
    assert.equal(reported, [['run000000000', 'EU, West', 'it was ended by SIGABRT']]);
    assert.equal(given.received.outcomes, ['none']);
    assert.equal(given.received.dropped, ['ended_processes']);
    assert.equal(given.received.troubles, []);
    assert.equal(await given.stored(), []);
    await given.end();
  },
);

working('a worker returns a run that has crashed its probe process twice if the crash cannot be recorded', async () => {
  const given = stage(
    async () => {
      throw new KillsItsProcess('it was ended by SIGABRT');
    },
    { endedProcesses: () => Promise.reject(new StoreUnavailable('The disk is full.')) },
  );
  await given.offer();
  await given.flush();
  assert.is(given.received.troubles.length, 1);
  assert.equal(given.received.finished, []);
  await given.end();
});

/** Returns a log that fails this many times before it appends. */
const failing = (log: EventStore, failures: number): Pick<EventStore, 'append' | 'readStream'> => ({
  ...log,
  append: (...append) => {
    if (failures-- > 0) return Promise.reject(new StoreUnavailable('The disk is full.'));
    return log.append(...append);
  },
});

working('a worker repeats an append with the same event ids if the outcome of the append is unknown', async () => {
  const log = stage(async () => good).log;
  const given = stage(async () => good, { log: failing(log, 3) });
  await given.offer();
  await given.flush();
  assert.equal(given.received.finished, []);
  await given.clock.advance(5_000);
  assert.is((await log.readStream('check_results-eu-west1')).length, 1);
  assert.equal(given.received.finished, ['run000000000']);
  await given.end();
});

working('a worker returns a run to the queue if its result cannot be stored', async () => {
  const log = stage(async () => good).log;
  const given = stage(async () => good, { log: failing(log, 5) });
  await given.offer();
  await given.clock.advance(4_000);
  assert.is(given.received.troubles.length, 1);
  await given.clock.advance(2_000);
  assert.is((await log.readStream('check_results-eu-west1')).length, 1);
  assert.equal(given.received.finished, ['run000000000']);
  await given.end();
});

working('a worker truncates texts that are too long to be stored', async () => {
  const given = stage(async () => ({ ...bad, error_message: 'x'.repeat(50_000) }));
  await given.offer();
  await given.flush();
  assert.is(((await given.stored())[0]?.data as { error_message: string }).error_message.length, 1_000);
  await given.end();
});

working('a worker limits each append to the size that a log accepts, no matter how large the results are', async () => {
  let appends = 0;
  const { log } = stage(async () => good);
  const given = stage(async () => ({ ...good, check_metadata: { text: 'x'.repeat(100_000) } }), {
    log: {
      ...log,
      append: async (stream, events, expected) => {
        const appended = await log.append(stream, events, expected);
        appends += 1;
        return appended;
      },
    },
  });
  for (let i = 0; i < 20; i++) await given.offer();
  await given.flush();
  assert.is((await log.readStream('check_results-eu-west1')).length, 20);
  assert.is(given.received.finished.length, 20);
  assert.ok(appends < 20);
  await given.end();
});

for (const [how, mayBeRepeated, again] of [
  ['is delivered again', true, {}],
  ['was offered again', false, { again: true }],
] as const) {
  working(
    `a worker stores no result that another worker has stored when its run ${how}, even if the log has forgotten the event id`,
    async () => {
      const log = forgetfulStore(createMemoryEventStore('results'));
      const first = stage(async () => good, { log });
      await first.offer();
      await first.flush();
      const run = { run_id: 'run000000000', region: 'eu-west1', not_after: START + 70_000, payload: message(again) };
      let repeats = 0;
      const second = stage(async () => bad, {
        log,
        queue: {
          consume: (_region, handle) => handle(run, { mayBeRepeated: () => mayBeRepeated }),
          offer: async () => undefined,
        },
        observe: { repeated: () => repeats++ },
      });
      await second.flush();
      await Promise.all([first.end(), second.end()]);
      assert.is((await log.readStream('check_results-eu-west1')).length, 1);
      assert.is(repeats, 1);
      assert.equal(second.received.outcomes, ['stored']);
    },
  );
}

working('a worker lists the check types that it can run', async () => {
  const given = stage(async () => good);
  assert.equal(given.worker.types, ['web']);
  await given.end();
});

/** Returns the binding of a secret to a check. */
const boundTo = async (keys: Keys, value: string | null, organizationId = ORGANIZATION): Promise<BoundSecret> => {
  const place = { organizationId, field: 'secret_value' };
  const secret =
    value === null ? null : { secret_name: 'API', secret_value: await keys.seal('secret-1', value, place) };
  return { env_variable: 'TOKEN', secret };
};

working('a worker decrypts the secrets of a check when the run starts, and passes them only to the probe', async () => {
  const given: Record<string, string>[] = [];
  const values = ['first value', 'second value'];
  const requested: unknown[] = [];
  const keys = createMemoryKeys();
  const secretsOf = async (...of: string[]) => {
    requested.push(of);
    return [await boundTo(keys, values.shift() ?? '')];
  };
  const run: Run = async ({ secrets }) => {
    given.push({ ...secrets });
    return good;
  };
  const one = stage(run, { secretsOf, keys });
  for (let n = 0; n < 2; n++) {
    await one.offer();
    await one.flush();
  }
  assert.equal(given, [{ TOKEN: 'first value' }, { TOKEN: 'second value' }]);
  assert.equal(requested, [
    [CHECK, ORGANIZATION],
    [CHECK, ORGANIZATION],
  ]);
  assert.not.match(JSON.stringify((await one.stored()).map(({ data }) => data)), 'value');
  await one.end();
});

working('a worker requests no secrets for a definition that is not stored', async () => {
  const given: Record<string, string>[] = [];
  const secretsOf = () => Promise.reject(new Error('There is no check.'));
  const run: Run = async ({ secrets }) => {
    given.push({ ...secrets });
    return good;
  };
  const one = stage(run, { secretsOf });
  await one.offer(message({ check_id: null, execution_id: 'job000000001', result_type: 'on_demand' }));
  await one.flush();
  assert.equal(given, [{}]);
  await one.end();
});

working('a worker stores why a secret can’t be read, instead of running the check without the secret', async () => {
  const keys = createMemoryKeys();
  const gone = await boundTo(keys, null);
  const forgotten = await boundTo(keys, 'x');
  await keys.forget('secret-1');
  const foreign = await boundTo(createMemoryKeys(), 'x');
  for (const [bound, sentence] of [
    [gone, 'The secret bound to TOKEN was deleted.'],
    [forgotten, 'The secret API, bound to TOKEN, cannot be read: its key is missing.'],
    [foreign, 'The secret API, bound to TOKEN, cannot be read: its key is missing.'],
  ] as const) {
    for (const [type, status] of [
      ['web', 'failed'],
      ['multistep', 'error'],
    ] as const) {
      let runs = 0;
      const run: Run = async () => {
        runs += 1;
        return good;
      };
      const one = stage(run, { secretsOf: async () => [bound], keys, types: [type] });
      const { definition } = message();
      await one.offer(message({ definition: { ...definition, type } }));
      await one.flush();
      const [stored] = await one.stored();
      const data = stored?.data as CheckRunCompleted;
      assert.equal([data.status, data.reason, data.error_message], [status, 'secret', sentence]);
      assert.is(runs, 0);
      await one.end();
    }
  }
});

working('a worker retries a run if its secrets could not be looked up', async () => {
  let looked = 0;
  const secretsOf = async () => {
    looked += 1;
    if (looked === 1) throw new Error('The read model is being built.');
    return [];
  };
  const one = stage(async () => good, { secretsOf });
  await one.offer();
  assert.is(one.received.troubles.length, 1);
  await one.clock.advance(1_000);
  await one.flush();
  assert.is((await one.stored()).length, 1);
  await one.end();
});

working.run();
