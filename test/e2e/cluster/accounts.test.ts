import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tokenOfLink } from '../../account-links.ts';
import { codeAt } from '../../authenticator.ts';
import { skippedWithoutCluster, startClusterServers } from '../cluster-servers.ts';
import { callApiExpecting, callApi, endPrograms, startOne } from '../program.ts';
import { eventually, realPause } from '../../waiting.ts';

const ADMIN_API_KEY = 'the-admin-key-of-this-test';
const EMAIL = 'ann@example.com';
const PASSWORD = 'three quiet herons';
/**
 * Within this time, in milliseconds, every process refuses revoked access
 * (docs/reference/sign-in.md#effect-of-changes).
 */
const EVERYWHERE_MS = 2_000;

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** Follows a user from the invitation to the removal. Each step is served by another process than the step before. */
const specifications = (): void => {
  const test = suite('a user of a cluster');
  test.after.each(endPrograms);

  test('a user of a cluster joins, signs in with two factors, creates a key, and has no access after the removal', async () => {
    const servers = await startClusterServers();
    try {
      const environment = { ...servers.environment, ADMIN_API_KEY };
      const one = await startOne(['api'], environment);
      const [other] = await Promise.all([startOne(['api'], environment), startOne(['project'], environment)]);
      for (const program of [one, other]) {
        await eventually(
          async () => (await callApi(program, ADMIN_API_KEY, 'GET', '/v1/organizations')).status === 200,
          {
            within: 60_000,
          },
        );
      }
      const invitation = { email: EMAIL, role: 'editor' };
      const invited = await callApiExpecting<{ invitation_url: string }>(
        one,
        ADMIN_API_KEY,
        200,
        'POST',
        '/v1/users/invite',
        invitation,
      );
      const token = tokenOfLink(invited.invitation_url);
      const names = { first_name: 'Ann', last_name: 'Lee' };
      await callApiExpecting(other, '', 200, 'POST', '/v1/users/reset-password', {
        token,
        new_password: PASSWORD,
        ...names,
      });

      const credentials = { email: EMAIL, password: PASSWORD };
      const first = await callApiExpecting<Tokens>(one, '', 200, 'POST', '/v1/login', credentials);
      const begun = await callApiExpecting<{ secret: string }>(
        other,
        first.access_token,
        200,
        'POST',
        '/v1/users/totp',
        {
          password: PASSWORD,
        },
      );
      const codeIn = (steps: number): string => codeAt(begun.secret, Date.now() + steps * 30_000);
      await callApiExpecting(one, first.access_token, 200, 'POST', '/v1/users/totp/confirm', { code: codeIn(0) });

      const requested = await callApiExpecting<{ requires_2fa: true; challenge: string }>(
        other,
        '',
        200,
        'POST',
        '/v1/login',
        credentials,
      );
      assert.is(requested.requires_2fa, true);
      const second = await callApiExpecting<Tokens>(one, '', 200, 'POST', '/v1/login/totp', {
        challenge: requested.challenge,
        code: codeIn(1),
      });
      const session = await callApiExpecting<Tokens>(other, second.refresh_token, 200, 'POST', '/v1/refresh');

      const key = await callApiExpecting<{ token: string }>(one, session.access_token, 201, 'POST', '/v1/api-tokens', {
        name: 'Deploys',
      });
      await callApiExpecting(other, key.token, 201, 'POST', '/v1/check-groups', { name: 'Shops' });
      const { id } = await callApiExpecting<{ id: string }>(
        other,
        session.access_token,
        200,
        'GET',
        '/v1/users/profile',
      );

      await callApiExpecting(one, ADMIN_API_KEY, 204, 'DELETE', `/v1/users/${id}`);
      const ways = [first.access_token, session.access_token, key.token];
      for (const way of ways) await callApiExpecting(one, way, 401, 'GET', '/v1/pages');
      await realPause(EVERYWHERE_MS, 'every process must have learned of it by then');
      for (const way of ways) await callApiExpecting(other, way, 401, 'GET', '/v1/pages');
      for (const program of [one, other]) {
        await callApiExpecting(program, session.refresh_token, 401, 'POST', '/v1/refresh');
        await callApiExpecting(program, '', 401, 'POST', '/v1/login', credentials);
      }
      for (const program of [one, other]) assert.is((await program.end('SIGTERM')).code, 0);
    } finally {
      await endPrograms();
      await servers.stop();
    }
  });

  test.run();
};

if (!skippedWithoutCluster()) specifications();
