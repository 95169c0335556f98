import * as assert from 'uvu/assert';
import { signedToken } from '../../../domain/signed-token.ts';
import { request, type Reply } from '../../api/http.ts';
import { startService } from '../../api/service.ts';
import { BROWSER } from '../subscribed-site.ts';

export const NOW = Date.parse('2026-11-20T15:00:00Z');

/** Starts a service with the page `acme`, which accepts every kind of subscription. */
export const startSubscriptionSite = async ({
  page = {},
  ...options
}: { page?: object } & Pick<NonNullable<Parameters<typeof startService>[0]>, 'signUps' | 'sentModes'> = {}) => {
  const service = await startService({ now: NOW, ...options });
  const made = async (path: string, body: object): Promise<string> => {
    const { status, text, json } = await service.request('POST', path, { body });
    assert.ok(status === 200 || status === 201, text);
    return (json() as { id: string }).id;
  };
  const all = { allow_email_subscribers: true, allow_sms_subscribers: true, allow_webhook_subscribers: true };
  const may = { allow_page_subscribers: true, allow_incident_subscribers: true };
  const pageId = await made('/v1/pages', { name: 'Acme', subdomain: 'acme', ...all, ...may, ...page });
  const at = `/v1/pages/${pageId}`;

  return {
    service,
    pageId,
    change: async (body: object): Promise<void> => {
      const { status, text } = await service.request('PATCH', at, { body });
      assert.is(status, 200, text);
    },
    addComponent: (name: string, more: object = {}) => made(`${at}/components`, { name, ...more }),
    addGroup: (name: string) => made(`${at}/component-groups`, { name }),
    addIncident: (name: string, more: object = {}) =>
      made(`${at}/incidents`, { name, status: 'investigating', body: 'We look into it.', components: {}, ...more }),
    visit: (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
      request(service.port, { path, headers: { accept: BROWSER, ...headers } }),
    /** Submits a form as a browser on the page itself does. A field with several values is a list. */
    send: (
      path: string,
      fields: Record<string, string | readonly string[]>,
      headers: Record<string, string> = {},
    ): Promise<Reply> => {
      const sent = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
      return request(service.port, {
        method: 'POST',
        path,
        body: new URLSearchParams(sent).toString(),
        headers: {
          accept: BROWSER,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
      });
    },
    /** Returns the subscribers that the API lists, newest first. */
    subscribers: async (): Promise<Record<string, unknown>[]> => {
      const listed = await service.request('GET', `${at}/subscribers`);
      return listed.json() as Record<string, unknown>[];
    },
    /** Creates a token for a link to a subscription. */
    tokenOf: (purpose: string, subject: string): Promise<string> =>
      signedToken({ purpose, organizationId: service.first.id, subject, expiresAt: null }, (kind, text) =>
        service.keys.fingerprint(kind, text),
      ),
    stop: service.stop,
  };
};

export type SubscriptionSite = Awaited<ReturnType<typeof startSubscriptionSite>>;

/** Returns the tag of the first control with this name and, if given, this value. Empty if there is none. */
export const controlOf = ({ text }: Reply, name: string, value?: string): string =>
  [...text.matchAll(/<(?:input|select)[^>]*>/g)]
    .map(([tag]) => tag)
    .find((tag) => tag.includes(`name="${name}"`) && (value === undefined || tag.includes(`value="${value}"`))) ?? '';

/** Returns the error message of a field, or an empty text if it has none. */
export const problemOf = ({ text }: Reply, field: string): string =>
  new RegExp(`id="${field}-problem">([^<]*)<`).exec(text)?.[1] ?? '';

export const headingOf = ({ text }: Reply): string =>
  (/<h1[^>]*>(.*?)<\/h1>/s.exec(text)?.[1] ?? '').replaceAll(/<[^>]*>/g, '').trim();
