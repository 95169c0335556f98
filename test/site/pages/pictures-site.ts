import { SaxesParser } from 'saxes';
import { startService, type Service } from '../../api/service.ts';

/** A response to a visitor. */
export interface VisitorResponse {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
}

/** Starts a service with a status page at `/status/{subdomain}`. */
export const startPicturesSite = async (page: object = {}) => {
  const service = await startService({ now: Date.parse('2026-11-20T15:00:00Z') });
  const made = await send(service, 'POST', '/v1/pages', { name: 'Shop', ...page });
  const { id, subdomain } = made as { id: string; subdomain: string };
  const origin = `http://127.0.0.1:${service.port}`;
  return {
    service,
    pageId: id,
    subdomain,
    origin,
    root: `${origin}/status/${subdomain}`,
    post: (path: string, body: object) => send(service, 'POST', `/v1/pages/${id}${path}`, body),
    patch: (path: string, body: object) => send(service, 'PATCH', `/v1/pages/${id}${path}`, body),
    get: async (path: string, headers: Record<string, string> = {}): Promise<VisitorResponse> => {
      const answer = await fetch(`${origin}/status/${subdomain}${path}`, { headers, redirect: 'manual' });
      const bytes = Buffer.from(await answer.arrayBuffer());
      return { status: answer.status, headers: answer.headers, bytes, text: bytes.toString() };
    },
    stop: service.stop,
  };
};

export type PicturesSite = Awaited<ReturnType<typeof startPicturesSite>>;

const send = async (service: Service, method: string, path: string, body: object): Promise<{ id: string }> => {
  const reply = await service.request(method, path, { body });
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json() as { id: string };
};

/** Parses an XML document. @throws Error if the document is not well-formed */
export const readXml = (xml: string) => {
  const elements: { name: string; attributes: Record<string, string> }[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    elements.push({ name, attributes: attributes });
  });
  parser.on('text', (text) => texts.push(text));
  parser.write(xml).close();
  return { elements, names: elements.map(({ name }) => name), texts: texts.filter((text) => text.trim() !== '') };
};

/** Texts that try to break out of their context. */
export const HOSTILE = [
  '"><script>alert(1)</script>',
  "'/><image href='https://evil.example/x'/>",
  '</title></svg><svg onload="alert(1)">',
  '&lt;b&gt; ]]> <!-- <![CDATA[',
  '</script><script>alert(1)//',
  'a\u202egnp.exe\u2066 ',
  'W'.repeat(190),
  '日本語のサービス 🚒 مرحبا שלום',
];
