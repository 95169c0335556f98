/** Pictures and videos that a run makes, which are sent as they come. */
import type { Said } from '../protocol.ts' with { 'resolution-mode': 'import' };
const { readFileSync, statSync } = require('node:fs') as typeof import('node:fs');

/** What `require('./files.cjs')` gives. */
export interface FilesModule {
  sendFiles: (
    speaking: { say: (said: Said) => void; sayBytes: (bytes: Buffer) => void },
    currentTest: () => number,
  ) => Files;
}

export interface Files {
  /** @param test that it is of; left out: the one that is under way */
  send: (role: Role, name: string, contentType: string, content: Buffer, test?: number) => void;
  /** What Playwright or the script attaches to a test: pictures and videos are sent. @param title of the test */
  attached: (attachment: Attachment, title: string) => void;
}

type Role = 'screenshot' | 'video';

export interface Attachment {
  name: string;
  contentType: string;
  path?: string;
  /** in base64 */
  body?: string;
}

/** More than are kept outside, where it is known which of them show a failure (../reading/files.ts). */
const MOST_FILES = 200;
const MOST_BYTES = 150 * 1_048_576;

const sendFiles: FilesModule['sendFiles'] = ({ say, sayBytes }, currentTest) => {
  let files = 0;
  let bytes = 0;

  const send: Files['send'] = (role, name, contentType, content, test = currentTest()) => {
    if (files >= MOST_FILES || bytes + content.length > MOST_BYTES) return;
    files += 1;
    bytes += content.length;
    say({ type: 'file', test: test < 0 ? null : test, role, name, contentType, size: content.length });
    sayBytes(content);
  };

  return {
    send,
    attached: ({ name, contentType, path, body }, title) => {
      const role = contentType.startsWith('image/') ? 'screenshot' : contentType.startsWith('video/') ? 'video' : null;
      if (role === null) return;
      try {
        if (path !== undefined && statSync(path).size > MOST_BYTES) return;
        const content = path === undefined ? Buffer.from(body ?? '', 'base64') : readFileSync(path);
        const extension = `.${contentType.split('/')[1]?.split(';')[0] ?? ''}`;
        const plain = role === 'video' && name === 'video' ? title : name;
        send(role, plain.endsWith(extension) ? plain : plain + extension, contentType, content);
      } catch {
        // It is gone: there is none.
      }
    },
  };
};

module.exports = { sendFiles } satisfies FilesModule;
