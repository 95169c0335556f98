import type { Test } from 'uvu';
import { createAuthority, hasOpenssl } from '../../probes/web/certificates.ts';
import type { User } from './access.ts';
import { startDouble, type Double } from './server.ts';

/** The users of a secured server: an admin, a user for Uptrail, and a user without any group. */
export const ADMIN: User = { name: 'admin', password: 'changeit', groups: ['$admins'] };
export const OPERATOR: User = { name: 'uptrail', password: 'p:a%s&s?', groups: ['$ops'] };
export const GUEST: User = { name: 'guest', password: 'guest', groups: [] };
export const USERS: readonly User[] = [ADMIN, OPERATOR, GUEST];

/** A double with TLS and users. */
export interface SecuredDouble extends Double {
  authority: ReturnType<typeof createAuthority>;
  /** Returns a connection string for a user. It trusts the server's certificate authority. */
  urlOf: (user?: Pick<User, 'name' | 'password'>) => string;
}

/** Returns the part of a connection string that names a user. */
export const credentialsOf = ({ name, password }: Pick<User, 'name' | 'password'>): string =>
  `${encodeURIComponent(name)}:${encodeURIComponent(password)}@`;

/** Starts a secured double with a certificate for `localhost` and 127.0.0.1, issued by an authority of its own. */
export const startSecuredDouble = async (users = USERS): Promise<SecuredDouble> => {
  const authority = createAuthority();
  const tls = authority.make('events', { names: 'DNS:localhost,IP:127.0.0.1' });
  const server = await startDouble({ tls, users });
  return {
    ...server,
    authority,
    urlOf: (user) =>
      `esdb://${user ? credentialsOf(user) : ''}localhost:${server.port}?tls=true&tlsCAFile=${authority.file('root.crt')}`,
    close: async () => {
      await server.close();
      authority.close();
    },
  };
};

/**
 * Declares tests that each have a secured server. If openssl is not installed, skips the tests and prints the reason.
 */
export const onSecuredDouble =
  (tests: Test) =>
  (sentence: string, run: (server: SecuredDouble) => Promise<void>): void => {
    if (!hasOpenssl()) {
      console.log(`  skipped: openssl is not installed (${sentence})`);
      tests.skip(sentence);
      return;
    }
    tests(sentence, async () => {
      const server = await startSecuredDouble();
      try {
        await run(server);
      } finally {
        await server.close();
      }
    });
  };
