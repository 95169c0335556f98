import { DAY_MS } from '../../../domain/time.ts';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXAMPLE_IDS } from '../../../api/openapi/examples/ids.ts';
import { v1Routes } from '../../../api/v1/index.ts';
import { createUser } from '../../../commands/organizations/users.ts';
import { plansOf } from '../../../domain/organization/plans.ts';
import { storeChannel } from '../../api/stored-channels.ts';
import { createAll, type Ids } from '../../api/fixtures.ts';
import { MANY_PLANS } from '../../api/payments.ts';
import { storeSession } from '../../api/users.ts';
import { startService } from '../../api/service.ts';
import { isInstalled, testWith } from '../../deploy/project.ts';
import { addressOf, codeOf } from './documentation.ts';
import { output, script, withCode, type Operation } from './programs.ts';

const test = suite('the examples of the API documentation');
const withCurl = testWith(test, (await isInstalled('curl')) && (await isInstalled('bash')));

const bodies = mkdtempSync(join(tmpdir(), 'uptrail-examples-'));
test.after(() => {
  rmSync(bodies, { recursive: true });
});

/** Returns the beginning of a response body in the folder `bodies`, or an empty text if there was no body. */
const bodyOf = (position: number): string => {
  const file = join(bodies, position.toString());
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, 300) : '';
};

/**
 * Operations that are not run here. They need a code or token from an authenticator or a message, or a service without
 * users. The tests in test/api/v1/login/, session/ and users/ cover them.
 */
const NEED_A_SECRET: readonly string[] = [
  '/v1/login/totp',
  '/v1/session/totp',
  'POST /v1/session/first-user',
  '/v1/users/totp/confirm',
  '/v1/users/reset-password',
  'DELETE /v1/users/totp',
];

const needsSecret = ({ shown: { methods, path } }: Operation): boolean =>
  NEED_A_SECRET.includes(path) || NEED_A_SECRET.includes(`${methods[0] ?? ''} ${path}`);

withCurl('all curl examples work with a running service, and get the responses that they show', async () => {
  const [team] = MANY_PLANS.all.filter(({ id }) => id === 'plan-0');
  assert.ok(team);
  const plans = plansOf([...MANY_PLANS.all, { ...team, id: 'team' }], MANY_PLANS.default.id);
  const service = await startService({ plans });
  const { first } = service;
  const key = first.keys.admin;
  const create = async (path: string, body: object): Promise<string> => {
    const reply = await service.request('POST', path, { key, body });
    assert.ok(reply.status < 300, `${path}: ${reply.text}`);
    return (reply.json() as { id: string }).id;
  };
  /** Functions that create the resources whose ids are contained in the bodies of examples. */
  const makers: Record<string, (ids: Ids) => Promise<string>> = {
    // This page has no subdomain, because the examples whose bodies contain its id use no subdomain.
    page_id: () => create('/v1/pages', { name: 'Named in a body' }),
    component_id: ({ page_id = '' }) => create(`/v1/pages/${page_id}/components`, { name: 'Checkout' }),
    check_id: () => create('/v1/checks', { name: 'Shop', type: 'web', url: 'http://127.0.0.1:9/', interval: 60 }),
    group_id: () => create('/v1/check-groups', { name: 'Shop' }),
    secret_id: () => create('/v1/secrets', { secret_name: `NAMED_${made++}`, secret_value: 'x' }),
    channel_id: () => storeChannel(service, first.id),
  };
  let made = 0;
  const user = async (email: string) => {
    const context = service.context(first.id, `user ${email}`);
    const fields = { email, role: 'admin', password: 'three quiet herons', first_name: 'Ida', last_name: 'Berg' };
    const userId = await service.commands.bind(createUser)(fields, context);
    await service.readers.waitFor(['organizations'], context);
    return userId;
  };
  await user('ida@example.com');
  const session = async (
    number: number,
  ): Promise<Record<'user_id' | 'session_id' | 'token' | 'refreshToken', string>> => {
    const userId = await user(`user-${number}@example.com`);
    const { sessionId, ...tokens } = await storeSession(service, first.id, userId);
    return { ...tokens, user_id: userId, session_id: sessionId };
  };

  /** Returns the command of an example with ids that exist, and with all URLs replaced by local ones. */
  const prepared = async (operation: Operation, index: number): Promise<string> => {
    const { shown } = operation;
    const ids: Record<string, string> = shown.path.endsWith('/sessions/{session_id}')
      ? await session(index)
      : { ...(await createAll(service, v1Routes, shown.path, key)) };
    // A stream does not end, so the command is stopped after a few seconds.
    let code = (codeOf(shown, 'curl') ?? '').replace(/^curl -N/, 'curl -N --max-time 5');
    for (const [name, make] of Object.entries(makers)) {
      const example = EXAMPLE_IDS[name] ?? '';
      if (code.includes(example) && ids[name] === undefined) ids[name] = await make(ids);
    }
    for (const [name, id] of Object.entries(ids)) {
      // If there is no example id for this parameter, the example contains the id from the schema.
      const example = EXAMPLE_IDS[name] ?? 'k3v9x0q2m7ab';
      code = name === 'domain' ? code.replace(`/${example}"`, `/${id}"`) : code.replaceAll(example, id);
    }
    code = code.replace(/https:\/\/\w+\.example\.com/g, 'http://127.0.0.1:9');
    // The period of a simulation must be within the retention of results.
    code = code.replace('2026-11-13T00:00:00Z', daysAgo(7)).replace('2026-11-20T00:00:00Z', daysAgo(1));
    if (shown.path.endsWith('/verify-password')) {
      const body = { name: 'Partners', password: 'three quiet herons' };
      await create(`/v1/pages/${ids['page_id'] ?? ''}/passwords`, body);
    }
    if (!code.includes('$TOKEN')) return code;
    const { token, refreshToken } = await session(index);
    return `TOKEN='${shown.path === '/v1/refresh' ? refreshToken : token}'\n${code}`;
  };
  try {
    const run = withCode.filter((operation) => !needsSecret(operation));
    const commands: string[] = [];
    for (const [index, operation] of run.entries()) commands.push(await prepared(operation, index));
    const environment = { UPTRAIL: `http://127.0.0.1:${service.port}`, KEY: key, TOKEN: '' };
    const lines = (await output('bash', [], script(commands, bodies), environment)).trim().split('\n');
    assert.is(lines.length, run.length);
    const wrong = run.flatMap((operation, index) => {
      const line = lines[index] ?? '';
      const statuses = operation.shown.responses.map(({ status }) => status.toString());
      return statuses.includes(line) ? [] : [`${addressOf(operation)}: ${line} ${bodyOf(index + 1)}`];
    });
    assert.equal(wrong, []);
  } finally {
    await service.stop();
  }
});

/** Returns the time some days ago. */
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

test.run();
