import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenOfLink } from '../../account-links.ts';
import { codeAt } from '../../authenticator.ts';
import { inTemporaryFolder } from '../../service/temporary.ts';
import { callApiExpecting, callApi, endPrograms, serve, type RunningProgram } from '../program.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const PASSWORD = 'three quiet herons';
const credentials = { email: 'ann@example.com', password: PASSWORD };

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const test = suite('sign-in');
test.after.each(endPrograms);

const joined = async (program: RunningProgram): Promise<Tokens> => {
  const { invitation_url } = await callApiExpecting<{ invitation_url: string }>(
    program,
    ADMIN_API_KEY,
    200,
    'POST',
    '/v1/users/invite',
    { email: credentials.email, role: 'editor' },
  );
  const token = tokenOfLink(invitation_url);
  await callApiExpecting(program, '', 200, 'POST', '/v1/users/reset-password', { token, new_password: PASSWORD });
  return callApiExpecting<Tokens>(program, '', 200, 'POST', '/v1/login', credentials);
};

test(
  'after kill -9 a signed-in user is still signed in, and tokens that were used or ended before are still invalid',
  inTemporaryFolder(async (folder) => {
    const environment = { DATA_DIR: folder, ADMIN_API_KEY };
    const first = await serve(environment);
    const ended = await joined(first);
    const setUp = await callApiExpecting<{ secret: string }>(
      first,
      ended.access_token,
      200,
      'POST',
      '/v1/users/totp',
      {},
    );
    const code = codeAt(setUp.secret, Date.now() + 30_000);
    const { recovery_codes } = await callApiExpecting<{ recovery_codes: string[] }>(
      first,
      ended.access_token,
      200,
      'POST',
      '/v1/users/totp/confirm',
      { code: codeAt(setUp.secret, Date.now()) },
    );
    const [recoveryCode = ''] = recovery_codes;
    const challenge = async (program: RunningProgram): Promise<string> =>
      (await callApiExpecting<{ challenge: string }>(program, '', 200, 'POST', '/v1/login', credentials)).challenge;
    const submitCode = async <T>(program: RunningProgram, status: number, given: string): Promise<T> =>
      callApiExpecting<T>(program, '', status, 'POST', '/v1/login/totp', {
        challenge: await challenge(program),
        code: given,
      });

    const used = await submitCode<Tokens>(first, 200, code);
    const present = await callApiExpecting<Tokens>(first, used.refresh_token, 200, 'POST', '/v1/refresh');
    const other = await submitCode<Tokens>(first, 200, recoveryCode);
    await callApiExpecting(first, ended.access_token, 204, 'POST', '/v1/logout');
    const unanswered = await challenge(first);
    await first.end('SIGKILL');

    const second = await serve(environment);
    for (const { access_token } of [present, other]) {
      await callApiExpecting(second, access_token, 200, 'GET', '/v1/users/profile');
    }
    await callApiExpecting(second, ended.access_token, 401, 'GET', '/v1/users/profile');
    await callApiExpecting(second, ended.refresh_token, 401, 'POST', '/v1/refresh');
    for (const given of [code, recoveryCode]) await submitCode(second, 401, given);
    const [, another = ''] = recovery_codes;
    await callApiExpecting(second, '', 200, 'POST', '/v1/login/totp', { challenge: unanswered, code: another });
    // For ten seconds a used refresh token returns its successor again. Using the old token after these ten seconds
    // ends the session.
    const again = await callApi(second, used.refresh_token, 'POST', '/v1/refresh');
    assert.is((again.body as Partial<Tokens>).refresh_token, again.status === 200 ? present.refresh_token : undefined);
    await callApiExpecting(second, other.refresh_token, 200, 'POST', '/v1/refresh');
  }),
);

test.run();
