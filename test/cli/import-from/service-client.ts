import { Refusal, refusalText, type Client } from '../../../cli/apply/client.ts';
import type { HistoryClient } from '../../../cli/import-from/history/client.ts';
import type { Configuration } from '../../../cli/configuration/model.ts';
import type { Fields } from '../../../domain/fields.ts';
import type { Reply } from '../../api/http.ts';

type Request = (
  method: string,
  path: string,
  options: { body?: object | string; headers?: Record<string, string>; key?: string },
) => Promise<Reply>;

/** A client of a service, which records its changes. */
export interface RecordingClient extends HistoryClient {
  /** methods and paths of the changes, oldest first */
  written: string[];
}

/** Creates a client of a service in this process. @param key an API key */
export const recordingClient = (request: Request, key: string): RecordingClient => {
  const written: string[] = [];
  const parsed = (reply: Reply): unknown => {
    if (reply.status < 300) return reply.text === '' ? null : reply.json();
    throw new Refusal(reply.status, refusalText(reply.json()) ?? `The status is ${reply.status}.`);
  };
  return {
    written,
    get: async (path) => parsed(await request('GET', path, { key })),
    write: async (method, path, body, { contentType } = {}) => {
      written.push(`${method} ${path}`);
      const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
      return parsed(await request(method, path, { key, headers, ...(body !== undefined && { body: body as object }) }));
    },
  };
};

/** Creates a client of a service in this process that has all methods. @param key an API key */
export const wholeClient = (request: Request, key: string): Client => {
  const { get, write } = recordingClient(request, key);
  return {
    server: 'http://127.0.0.1',
    get,
    write,
    text: async (path) => {
      const reply = await request('GET', path, { key });
      if (reply.status >= 300) throw new Refusal(reply.status, reply.text);
      return reply.text;
    },
    list: async (path, field, size = 'page_size') =>
      ((await get(`${path}?${size}=100`)) as Record<string, Fields[]>)[field] ?? [],
    close: () => Promise.resolve(),
  };
};

/** Creates the pages and incident templates of a configuration. */
export const createObjects = async (client: HistoryClient, { pages = [], incident_templates = [] }: Configuration) => {
  const idOf = (response: unknown): string => String((response as Fields)['id']);
  for (const { component_groups = [], components = [], ...page } of pages) {
    const path = `/v1/pages/${idOf(await client.write('POST', '/v1/pages', page))}`;
    const groups = new Map<string, string>();
    for (const group of component_groups) {
      groups.set(group.name, idOf(await client.write('POST', `${path}/component-groups`, group)));
    }
    for (const { group, ...component } of components) {
      const group_id = groups.get(group ?? '') ?? null;
      await client.write('POST', `${path}/components`, { ...component, group_id });
    }
  }
  for (const { name, kind, status, body } of incident_templates) {
    await client.write('POST', '/v1/incident-templates', { name, kind, status, body });
  }
};
