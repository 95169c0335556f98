import * as assert from 'uvu/assert';
import { createUser } from '../../../../commands/organizations/users.ts';
import type { Role } from '../../../../domain/organization/roles.ts';
import { codeAt } from '../../../authenticator.ts';
import { request, type Reply } from '../../http.ts';
import type { Service } from '../../service.ts';

export const PASSWORD = 'tuba-4217-mouth';

export interface Tokens {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
}

/** Creates a user of the first organization who can sign in. */
export const storeUser = async (service: Service, name: string, role: Role = 'editor') => {
  const email = `${name}@example.com`;
  const context = service.context(service.first.id, `person ${name}`);
  const given = { email, role, password: PASSWORD, first_name: null, last_name: null };
  const id = await service.commands.bind(createUser)(given, context);
  await service.readers.waitFor(['organizations'], context);
  return { id, email };
};

/** Sends a request without a key from a loopback address. */
export const postFrom = (service: Service, localAddress: string, path: string, body: object): Promise<Reply> =>
  request(service.port, { method: 'POST', path, body, localAddress });

export const login = (
  service: Service,
  email: string,
  password = PASSWORD,
  localAddress = '127.0.0.1',
): Promise<Reply> => postFrom(service, localAddress, '/v1/login', { email, password });

export const signedIn = async (service: Service, email: string, localAddress = '127.0.0.1') => {
  const reply = await login(service, email, PASSWORD, localAddress);
  assert.is(reply.status, 200, reply.text);
  return reply.json() as Tokens & { user: Record<string, unknown> };
};

export const refresh = async (service: Service, token: string): Promise<Reply> =>
  service.request('POST', '/v1/refresh', { key: token });

/** Sets up a second factor and advances past the time step of its first code. */
export const withSecondFactor = async (service: Service, access: string) => {
  const made = await service.request('POST', '/v1/users/totp', { key: access, body: {} });
  const { secret, otpauth_url } = made.json() as { secret: string; otpauth_url: string };
  const body = { code: codeAt(secret, service.time.now) };
  const confirmed = await service.request('POST', '/v1/users/totp/confirm', { key: access, body });
  assert.is(confirmed.status, 200, confirmed.text);
  const { recovery_codes } = confirmed.json() as { recovery_codes: string[] };
  service.time.now += 60_000;
  return { secret, otpauth_url, recovery_codes, first: body.code };
};
