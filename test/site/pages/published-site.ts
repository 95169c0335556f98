import { request, type Reply } from '../../api/http.ts';
import { startService, type Service } from '../../api/service.ts';

type Json = Record<string, unknown>;

/** Starts a service with the status page `acme`, and returns functions that change the page through the API. */
export const startPublishedSite = async (page: object = {}, options: Parameters<typeof startService>[0] = {}) => {
  const service = await startService({
    now: Date.parse('2026-11-20T15:00:00.123Z'),
    publicUrl: 'https://status.example.org',
    ...options,
  });
  const made = async (path: string, body: object): Promise<Json> => {
    const reply = await service.request('POST', path, { body });
    if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.text}`);
    return reply.json() as Json;
  };
  const { id } = await made('/v1/pages', { name: 'Acme', subdomain: 'acme', time_zone: 'Europe/Berlin', ...page });
  const pageId = String(id);
  const below = `/v1/pages/${pageId}`;
  const change = async (method: string, path: string, body?: object): Promise<Json> => {
    const reply = await service.request(method, `${below}${path}`, body && { body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.text === '' ? {} : (reply.json() as Json);
  };
  return {
    service,
    pageId,
    /** Advances the clock by this many seconds. */
    pass: (seconds: number): void => {
      service.time.now += seconds * 1_000;
    },
    change,
    /** Adds a component. @returns the id of the component */
    component: async (name: string, fields: object = {}): Promise<string> =>
      String((await made(`${below}/components`, { name, ...fields }))['id']),
    group: async (name: string): Promise<string> => String((await made(`${below}/component-groups`, { name }))['id']),
    incident: (fields: object = {}): Promise<Json> =>
      made(`${below}/incidents`, {
        name: 'Checkout fails',
        body: 'We look into it.',
        status: 'investigating',
        components: {},
        ...fields,
      }),
    update: (incidentId: unknown, fields: object): Promise<Json> =>
      made(`${below}/incidents/${String(incidentId)}/incident_updates`, fields),
    /** Sends a request without an API key. The path is relative to the root of the page. */
    get: (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> =>
      request(service.port, { method, path: `/status/acme/${path}`, headers }),
    stop: service.stop,
  };
};

export type PublishedSite = Awaited<ReturnType<typeof startPublishedSite>>;
export type { Service };
