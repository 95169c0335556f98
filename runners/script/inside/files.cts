/** Pictures and videos that a run makes. */
import type { Said } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { readFileSync, statSync } = require('node:fs') as typeof import('node:fs');

type Client = import('./internals.cts').Client;

/** What `require('./files.cjs')` gives. */
export interface FilesModule {
  sendFiles: (
    speaking: { say: (said: Said) => void; sayBytes: (bytes: Buffer) => void },
    currentTest: () => number,
  ) => Files;
}

export interface Files {
  /** What Playwright attaches to a test: pictures of failures and videos are sent. */
  attached: (attachment: { name: string; contentType: string; path?: string; body?: string }, title: string) => void;
  /** Pictures that are taken with a `path` are sent under that name. */
  watchScreenshots: (clients: readonly Client[]) => void;
}

const MOST_FILES = 20;
const MOST_BYTES = 50 * 1_048_576;

const sendFiles: FilesModule['sendFiles'] = ({ say, sayBytes }, currentTest) => {
  let files = 0;
  let bytes = 0;

  const send = (role: 'screenshot' | 'video', name: string, contentType: string, content: Buffer): void => {
    if (files >= MOST_FILES || bytes + content.length > MOST_BYTES) return;
    files += 1;
    bytes += content.length;
    const test = currentTest();
    say({ type: 'file', test: test < 0 ? null : test, role, name, contentType, size: content.length });
    sayBytes(content);
  };

  return {
    attached: ({ name, contentType, path, body }, title) => {
      const role = contentType.startsWith('image/') ? 'screenshot' : contentType.startsWith('video/') ? 'video' : null;
      if (role === null) return;
      try {
        if (path !== undefined && statSync(path).size > MOST_BYTES) return;
        const content = path === undefined ? Buffer.from(body ?? '', 'base64') : readFileSync(path);
        const extension = contentType.split('/')[1]?.split(';')[0] ?? '';
        const plain = name === 'screenshot' ? `failed: ${title}` : name === 'video' ? title : name;
        send(role, plain.endsWith(`.${extension}`) ? plain : `${plain}.${extension}`, contentType, content);
      } catch {
        // It is gone: there is none.
      }
    },
    watchScreenshots: (clients) => {
      const seen = new Set<object>();
      for (const client of clients) {
        const { prototype } = client.constructor;
        const original = prototype['screenshot'];
        if (typeof original !== 'function' || seen.has(prototype)) continue;
        seen.add(prototype);
        prototype['screenshot'] = async function (this: unknown, options?: { path?: unknown; type?: string }) {
          const taken = (await Reflect.apply(original, this, [options])) as Buffer;
          if (typeof options?.path === 'string') {
            const type = options.type ?? (/\.jpe?g$/i.test(options.path) ? 'jpeg' : 'png');
            send('screenshot', options.path, `image/${type}`, taken);
          }
          return taken;
        };
      }
    },
  };
};

module.exports = { sendFiles } satisfies FilesModule;
