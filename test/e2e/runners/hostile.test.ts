import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServers } from '../../probes/web/servers.ts';
import { createCheck } from '../checking.ts';
import { waitForOutcome } from '../polling.ts';
import { endPrograms } from '../program.ts';
import { connectHostile, greeting, messageOf, outcomeWith, sendTo, type RunnerResponse } from './hostile-runner.ts';
import { onHostileStage, assignedRun, refusedWith } from './hostile-stage.ts';
import { ADMIN_API_KEY, createShopCheck, storedResults } from './remote.ts';
import { HOUR_MS } from '../../../domain/time.ts';

/** Time limit for the outcome of a job, in seconds. */
const SOON = 60;
/** A URL at which no server listens. */
const NOWHERE = 'http://127.0.0.1:9/';
const NOT_GIVEN = 'This runner was not given the run.';
const NOT_UNDERSTOOD = 'The runner has sent an invalid result.';
const NOT_STORABLE = 'The runner has sent a result that cannot be stored.';

const test = suite('a hostile runner');
test.after.each(endPrograms);
test.after.each(closeServers);

test(
  'a hostile runner gets an error that says what is wrong with its greeting, token or session',
  onHostileStage(async ({ service, own, foreign }) => {
    const hello = greeting('one');
    const connectWith = (body: string): Promise<RunnerResponse> =>
      sendTo(service, own.token, 'POST', '/sessions', body);
    const wrong: unknown[] = [
      null,
      [],
      'hello',
      7,
      {},
      ...Object.keys(hello).map((field) => ({ ...hello, [field]: undefined })),
      ...Object.keys(hello).map((field) => ({ ...hello, [field]: { deep: [] } })),
      { ...hello, capacity: 1e9 },
      { ...hello, capacity: 0.5 },
      { ...hello, instance: '' },
      { ...hello, instance: 'x'.repeat(51) },
      { ...hello, types: Array.from({ length: 51 }, () => 'web') },
      { ...hello, lacking: [{ type: 'web', reason: 'x'.repeat(2_001) }] },
      { ...hello, release: '1\u0000' },
      { ...hello, instance: '\ud800' },
      { ...hello, lacking: [{ type: 'web', reason: '\u0000' }] },
    ];
    for (const body of wrong) refusedWith(await connectWith(JSON.stringify(body)), 400, /\w/, JSON.stringify(body));
    refusedWith(await connectWith('{'), 400, 'The body is not valid JSON.');
    refusedWith(await connectWith(`${'['.repeat(10_000)}${']'.repeat(10_000)}`), 400, /nested deeper than 32 levels/);
    refusedWith(await connectWith(`[${'0,'.repeat(100_000)}0]`), 400, /more than 20,000 values/);
    refusedWith(await connectWith(JSON.stringify({ ...hello, more: 'x'.repeat(2_000_000) })), 413, /larger than 1 MiB/);
    // Unknown fields, such as those of later releases, are ignored. This also applies to `__proto__`, which would set
    // the prototype.
    const later = JSON.stringify({ ...hello, types: ['web', 'teleport'], later: true }).replace(
      '{',
      '{"__proto__":{"region":"x"},',
    );
    assert.is((await connectWith(later)).status, 200);

    const unknown = `upr_${'x'.repeat(43)}`;
    for (const token of [unknown, 'upr_', ADMIN_API_KEY, `${own.token} `.repeat(2), own.token.slice(0, -1)])
      refusedWith(
        await sendTo(service, token, 'POST', '/sessions', JSON.stringify(hello)),
        401,
        /unknown or was revoked/,
      );
    const runner = await connectHostile(service, own.token, 'two');
    const { session } = runner.welcome;
    for (const [token, id] of [
      [foreign.token, session],
      [own.token, 'x'],
      [own.token, '%00'],
      [own.token, '__proto__'],
      [own.token, 'x'.repeat(5_000)],
    ] as const)
      for (const [method, path] of [
        ['GET', 'work'],
        ['POST', 'results'],
        ['PUT', 'files/x'],
        ['DELETE', ''],
      ] as const) {
        const at = `/sessions/${id}${path && '/'}${path}`;
        const response = await sendTo(
          service,
          token,
          method,
          at,
          method === 'GET' || method === 'DELETE' ? undefined : '{}',
        );
        assert.ok([400, 404, 414].includes(response.status), `${method} ${at}: ${response.status}`);
        assert.is.not(messageOf(response), '');
      }
    for (const body of [null, 7, {}, { results: 1 }])
      refusedWith(await runner.report({ results: body, offline: body }), 400, /report/);
    refusedWith(await runner.report({ load: { in_flight: -1, unsent: 0 } }), 400, /report/);
    refusedWith(await runner.report({ results: Array.from({ length: 1_001 }, () => 0) }), 400, /report/);
    assert.is((await runner.report({ later: { field: 1 } })).status, 200);
    // The runner's token is not valid for the API.
    assert.is((await fetch(`${service.address}/v1/checks`, { headers: { authorization: own.token } })).status, 401);
  }),
);

test(
  'a hostile runner cannot store results of runs that were not assigned to it',
  onHostileStage(async ({ service, own, foreign, key }) => {
    const victim = await connectHostile(service, own.token, 'victim');
    const thief = await connectHostile(service, foreign.token, 'thief');
    const watched = await createCheck(service, ADMIN_API_KEY, {
      ...createShopCheck(own.region, NOWHERE),
      active: false,
    });
    const mine = await createCheck(service, key, { ...createShopCheck(foreign.region, NOWHERE), active: false });
    const { run, job } = await assignedRun(service, victim, watched, ADMIN_API_KEY);
    const { run: given, job: itsJob } = await assignedRun(service, thief, mine, key);
    const outcome = outcomeWith();
    const resultOf = (delivery: string, ticket: string): object => ({ delivery, ticket, age_ms: 0, outcome });
    const [content = '', signature = ''] = given.ticket.split('.');
    const changed = (changes: object): string => {
      const ticket = JSON.parse(Buffer.from(content, 'base64url').toString()) as object;
      return `${Buffer.from(JSON.stringify({ ...ticket, ...changes })).toString('base64url')}.${signature}`;
    };
    const forged = [
      run.ticket,
      `${run.ticket.split('.')[0] ?? ''}.${signature}`,
      changed({ check_id: watched.id }),
      changed({ organization_id: own.id }),
      changed({ slot: given.slot - HOUR_MS }),
      content,
      `${content}.`,
      `.${signature}`,
      `${given.ticket}.${signature}`,
      'x',
      '..',
    ];
    assert.equal(
      await thief.reportJudged({
        results: [
          // The first results name the delivery of another runner, and the next ones a delivery that does not exist.
          // None names the delivery of the hostile runner itself.
          ...forged.map((ticket) => resultOf(run.delivery, ticket)),
          ...forged.map((ticket) => resultOf('x', ticket)),
        ],
        offline: forged.map((ticket) => ({ ticket, slot: given.slot, ended_at: given.slot, outcome })),
      }),
      Array.from({ length: 3 * forged.length }, () => NOT_GIVEN),
    );
    refusedWith(await thief.upload(run.delivery, Buffer.from('x')), 404, /not in progress/);
    assert.equal(await storedResults(service, `check_id=${watched.id}`), []);
    // The hostile runner does not receive runs of other runners.
    assert.ok(thief.runs().every(({ check_id }) => check_id === mine.id));

    // The service still expects the results of both runners, and stores each result once, no matter how often it is
    // sent.
    for (let time = 0; time < 3; time++) {
      assert.equal(await victim.reportJudged({ results: [resultOf(run.delivery, run.ticket)] }), [null]);
      assert.equal(
        await thief.reportJudged({ results: [resultOf(given.delivery, given.ticket), resultOf('x', given.ticket)] }),
        [null, null],
      );
    }
    assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    assert.is((await waitForOutcome(service, key, itsJob, SOON)).result?.status, 'ok');
    assert.is((await storedResults(service, `check_id=${watched.id}`)).length, 1);
    assert.is((await storedResults(service, `check_id=${mine.id}`, key)).length, 1);
  }),
);

test(
  'a hostile runner cannot store an outcome with an invalid structure, and cannot break readers of outcomes',
  onHostileStage(async ({ service, own }) => {
    const runner = await connectHostile(service, own.token, 'one');
    const check = await createCheck(service, ADMIN_API_KEY, { ...createShopCheck(own.region, NOWHERE), active: false });
    const { run, job } = await assignedRun(service, runner, check, ADMIN_API_KEY);
    const { delivery, ticket } = run;
    const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });
    // These results do not name the real delivery, because the test still expects its valid result below.
    const form = (outcome: unknown, more: object = {}): object => ({
      delivery: 'x',
      ticket,
      age_ms: 0,
      outcome,
      ...more,
    });
    const notUnderstood = [
      null,
      7,
      [],
      {},
      form(null),
      form([]),
      form({}),
      form(outcomeWith({ status: 'up' })),
      form(outcomeWith({ status: ['ok'] })),
      form(outcomeWith({ reason: 'because' })),
      form(outcomeWith({ response_time: -1 })),
      form(outcomeWith({ response_time: 1e300 })),
      form(outcomeWith({ response_time: '12' })),
      form(outcomeWith({ error_message: 7 })),
      form(outcomeWith({ error_message: 'x'.repeat(20_001) })),
      form(outcomeWith({ check_metadata: [] })),
      form(outcomeWith({ check_metadata: null })),
      form(outcomeWith({ suspect: false })),
      form(outcomeWith({ files: [{ reference: '../x' }] })),
      form(outcomeWith({ files: Array.from({ length: 21 }, () => ({})) })),
      form(outcomeWith(), { age_ms: -1 }),
      form(outcomeWith(), { age_ms: 1e300 }),
      form(outcomeWith(), { delivery: 7 }),
      form(outcomeWith(), { ticket: 'x'.repeat(4_001) }),
    ];
    assert.equal(
      await runner.reportJudged({ results: notUnderstood }),
      notUnderstood.map(() => NOT_UNDERSTOOD),
    );
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`x${at}`, 1]));
    const unstorable = [
      form(outcomeWith({ error_message: '\u0000' })),
      form(outcomeWith({ check_metadata: { text: '\ud800' } })),
      form(outcomeWith({ check_metadata: { '\u0000': 1 } })),
      form(outcomeWith({ check_metadata: { number: 2 ** 60 } })),
      form(outcomeWith({ check_metadata: many })),
    ];
    assert.equal(
      await runner.reportJudged({ results: unstorable }),
      unstorable.map(() => NOT_STORABLE),
    );
    const huge = form(outcomeWith({ check_metadata: { text: 'x'.repeat(500_000) } }));
    assert.equal(await runner.reportJudged({ results: [huge] }), ['The runner has sent a result that is too large.']);
    refusedWith(
      await runner.report({ results: [form(outcomeWith({ check_metadata: nested(40) }))] }),
      400,
      /nested deeper/,
    );
    refusedWith(
      await runner.report({ results: [form(outcomeWith({ check_metadata: { text: 'x'.repeat(2_000_000) } }))] }),
      413,
      /1 MiB/,
    );
    assert.equal(await storedResults(service, `check_id=${check.id}`), []);

    // If an outcome has a valid structure but invalid metadata for its type, the fields that readers rely on are left
    // out.
    const strange = {
      host: 7,
      port: 'x',
      timings: [],
      connected: { a: 1 },
      notes: 'none',
      redirects: { '0': 1 },
      more: [1],
    };
    const poisoned = JSON.stringify(outcomeWith({ check_metadata: strange })).replace(
      '"host"',
      '"__proto__":{"polluted":true},"host"',
    );
    const sent = { delivery, ticket, age_ms: 0, outcome: JSON.parse(poisoned) as object };
    assert.equal(await runner.reportJudged({ results: [sent] }), [null]);
    assert.is((await waitForOutcome(service, ADMIN_API_KEY, job, SOON)).result?.status, 'ok');
    const [stored] = await storedResults(service, `check_id=${check.id}`);
    const { notes, ...metadata } = stored?.check_metadata ?? {};
    assert.equal(metadata, { more: [1] });
    assert.match(JSON.stringify(notes), /left out: host, port/);
  }),
);

test.run();
