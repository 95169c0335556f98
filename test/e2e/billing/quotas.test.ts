import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endPrograms, serve, uptrail, type RunningProgram } from '../program.ts';
import { eventually } from '../../waiting.ts';

const test = suite('a plan with three checks');
test.after.each(endPrograms);

const KEY = 'upt_of_the_quotas_0123456789';

const plansWith = (checks: number) => [
  {
    id: 'small',
    name: 'Small',
    price: { value: '0.00', currency: 'EUR' },
    duration: 30,
    limits: { checks },
    default: true,
  },
];

const check = (name: string) => ({ name, type: 'tcp', host: '127.0.0.1', port: 9, interval: 3_600, active: false });

const request = (program: RunningProgram, method: string, path: string, body?: object): Promise<Response> =>
  fetch(`${program.address}${path}`, {
    method,
    headers: { authorization: KEY, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });

const create = async (program: RunningProgram, times: number): Promise<Response[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => request(program, 'POST', '/v1/checks', check(`Check ${n}`))));

const created = (replies: readonly Response[]): Response[] => replies.filter(({ status }) => status === 201);

const countChecks = async (program: RunningProgram): Promise<number> =>
  ((await (await request(program, 'GET', '/v1/checks')).json()) as { checks: unknown[] }).checks.length;

test('a plan with three checks allows exactly three checks, also after kill -9, and no new checks after the plan shrinks', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-'));
  const file = join(folder, 'plans.json');
  const environment = { DATA_DIR: join(folder, 'data'), ADMIN_API_KEY: KEY, PLANS_FILE: file };
  try {
    writeFileSync(file, JSON.stringify([{ ...plansWith(3)[0], limits: { check: 3 } }]));
    const refused = await uptrail(environment, 'plans');
    assert.match(
      refused.stderr,
      /PLANS_FILE ".*plans\.json" is invalid: plan "small", limits\.check: No such field exists\./,
    );
    writeFileSync(file, JSON.stringify(plansWith(3)));
    assert.match((await uptrail({}, 'plans', '--check', file)).stdout, 'is valid: 1 plan');

    let program = await serve(environment);
    const replies = await create(program, 8);
    assert.is(created(replies).length, 3);
    const surplus = replies.find(({ status }) => status === 403);
    const { message } = (await surplus?.json()) as { message: string };
    assert.is(message, 'The plan "Small" allows 3 checks, and the organization already has that many.');

    const { id: first } = (await created(replies)[0]?.json()) as { id: string };
    assert.is((await request(program, 'DELETE', `/v1/checks/${first}`)).status, 204);
    assert.is(created(await create(program, 2)).length, 1);

    // The program is killed during pending requests. Whatever these requests have claimed, exactly three checks exist
    // in the end.
    const { checks } = (await (await request(program, 'GET', '/v1/checks')).json()) as { checks: { id: string }[] };
    for (const one of checks) await request(program, 'DELETE', `/v1/checks/${one.id}`);
    const pending = Array.from({ length: 4 }, () =>
      request(program, 'POST', '/v1/checks', check('Killed')).catch(() => null),
    );
    await Promise.race(pending);
    await program.end('SIGKILL');
    await Promise.all(pending);
    program = await serve(environment);
    await create(program, 4);
    assert.is(await countChecks(program), 3);
    await program.end('SIGTERM');

    writeFileSync(file, JSON.stringify(plansWith(2)));
    program = await serve(environment);
    assert.is(created(await create(program, 1)).length, 0);
    assert.is(await countChecks(program), 3);

    const [organization] = (await (await request(program, 'GET', '/v1/organizations')).json()) as { id: string }[];
    const id = organization?.id ?? '';
    const wrong = await uptrail(environment, 'organization', 'update', id, '--email', 'nobody');
    assert.match(wrong.stderr, /^--email: Must be an e-mail address/);
    await uptrail(environment, 'organization', 'update', id, '--legal-name', 'Acme Ltd', '--auto-renew', 'on');
    await uptrail(environment, 'organization', 'rename', id, 'Acme');
    await eventually(async () => {
      const reply = await request(program, 'GET', `/v1/organizations/${id}`);
      return ((await reply.json()) as { name: string }).name === 'Acme';
    });
    const shown = await uptrail(environment, 'organization', 'show', id);
    assert.match(shown.stdout, /^Acme \(.*\nplan: Small \(small\)\nrenews automatically: yes\nlegal name: Acme Ltd\n/);
    assert.match(shown.stdout, /^checks +3 +2 *$/m);
    const printed = await uptrail(environment, 'organization', 'show', id, '--json');
    const { usage } = JSON.parse(printed.stdout) as { usage: { plan: { price: unknown } } };
    assert.equal(usage.plan.price, { value: '0.00', currency: 'EUR' });
    await program.end('SIGTERM');

    const given = await uptrail(environment, 'organization', 'subscribe', id, 'small', '--days', '7');
    assert.match(given.stdout, /has the plan "Small" until \d{4}-/);
    const none = await uptrail(environment, 'organization', 'subscribe', id, 'large');
    assert.match(none.stderr, /^The plan "large" does not exist\. Use one of small\./);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.run();
