import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { createUser } from '../../../commands/organizations/users.ts';
import { request, type Reply } from '../../api/http.ts';
import { PASSWORD } from '../../api/v1/login/signed-in-user.ts';
import { startService } from '../../api/service.ts';
import { BROWSER } from '../subscribed-site.ts';

export const PROXY = '127.0.0.9';
/** Headers of a form that is submitted from the page itself. */
const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** A request of a visitor. */
export interface VisitorRequest {
  host?: string;
  cookie?: string | undefined;
  headers?: Record<string, string>;
  from?: string;
}

/** Starts a service with the page `acme`. */
export const startProtectedSite = async (page: object = {}) => {
  const service = await startService({
    publicUrl: 'https://uptrail.example',
    publicDomain: 'status.example',
    trustProxy: PROXY,
  });
  const made = await service.request('POST', '/v1/pages', { body: { name: 'Acme', subdomain: 'acme', ...page } });
  const pageId = (made.json() as { id: string }).id;
  const go = (method: string, path: string, body: string | undefined, going: VisitorRequest): Promise<Reply> => {
    const { host = 'localhost', cookie, headers, from } = going;
    return request(service.port, {
      method,
      path,
      ...(body !== undefined && { body }),
      headers: {
        host,
        accept: BROWSER,
        ...(cookie !== undefined && { cookie }),
        ...(body !== undefined && FORM),
        ...headers,
      },
      ...(from !== undefined && { localAddress: from }),
    });
  };
  return {
    service,
    pageId,
    visit: (path: string, going: VisitorRequest = {}): Promise<Reply> => go('GET', path, undefined, going),
    /** Submits a form as a visitor does. */
    send: (path: string, fields: Record<string, string>, going: VisitorRequest = {}): Promise<Reply> =>
      go('POST', path, new URLSearchParams(fields).toString(), going),
    change: async (body: object): Promise<void> => {
      const { status, text } = await service.request('PATCH', `/v1/pages/${pageId}`, { body });
      assert.is(status, 200, text);
    },
    /** Adds a password to the page. @returns the id of the password */
    lock: async (password: string, hint: string | null = null): Promise<string> => {
      const body = { name: randomUUID(), password, ...(hint !== null && { password_hint: hint }) };
      const added = await service.request('POST', `/v1/pages/${pageId}/passwords`, { body });
      return (added.json() as { id: string }).id;
    },
    /** Creates a user who can sign in. */
    person: async (name: string, organizationId: string, role = 'viewer'): Promise<{ id: string; email: string }> => {
      const email = `${name}@example.com`;
      const context = service.context(organizationId, `person ${name}`);
      const given = { email, role, password: PASSWORD, first_name: null, last_name: null };
      const id = await service.commands.bind(createUser)(given, context);
      await service.readers.waitFor(['organizations'], context);
      return { id, email };
    },
  };
};

export type ProtectedSite = Awaited<ReturnType<typeof startProtectedSite>>;

/** Returns the cookies that a response sets, as a browser sends them. Leaves out cookies that the response removes. */
export const cookiesOf = ({ headers }: Reply): string =>
  (headers['set-cookie'] ?? [])
    .filter((cookie) => !cookie.includes('Max-Age=0'))
    .map((cookie) => cookie.split(';')[0] ?? '')
    .join('; ');

export const titleOf = ({ text }: Reply): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '';

export const isShown = ({ status, text }: Reply): boolean => status === 200 && text.includes('<bdi>Acme</bdi>');
