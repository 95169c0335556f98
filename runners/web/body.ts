import type { IncomingHttpHeaders } from 'node:http';
import { Finding, quoted, textNotFound } from '../finding.ts';
import { firstValue } from './headers.ts';
import { createTextSearch } from './search.ts';
import { canUnpack, codingsOf, createUnpacker } from './unpack.ts';

/** So much of a body, unpacked, is searched, and no packed body may hold more. */
export const MAX_UNPACKED_BYTES = 10 * 1024 * 1024;
const LIMIT = '10 MiB';

/** Reads a body as it comes, without keeping it. */
export interface BodyReader {
  /** @returns false when no more should be written until `drain` is called */
  write: (chunk: Buffer) => boolean;
  /** The body is complete. */
  end: () => void;
  destroy: () => void;
  /** bytes received, as they were sent */
  readonly received: number;
}

export interface BodyEvents {
  drain: () => void;
  /** The body is complete; what is wrong with it, or null. */
  complete: (finding: Finding | null) => void;
  /** There is no use in reading on. */
  hopeless: (finding: Finding) => void;
}

/** @param text must stand in the body; nothing is looked for when it is empty */
export const createBodyReader = (headers: IncomingHttpHeaders, text: string, events: BodyEvents): BodyReader => {
  const codings = codingsOf(firstValue(headers, 'content-encoding') ?? '');
  const packed = codings.length > 0 && canUnpack(codings);
  const search = text === '' ? null : createTextSearch(text, firstValue(headers, 'content-type') ?? '');
  let received = 0;
  let unpacked = 0;
  let settled = false;

  const settle = (tell: () => void): void => {
    if (settled) return;
    settled = true;
    unpacker?.destroy();
    tell();
  };
  const giveUp = (finding: Finding): void => {
    settle(() => {
      events.hopeless(finding);
    });
  };
  const complete = (finding: Finding | null): void => {
    settle(() => {
      events.complete(finding);
    });
  };

  const look = (chunk: Buffer): void => {
    unpacked += chunk.length;
    if (packed && unpacked > MAX_UNPACKED_BYTES) {
      giveUp(new Finding('failed', 'size', `The response unpacks to more than ${LIMIT}.`));
      return;
    }
    if (!search || search.found()) return;
    const over = unpacked - MAX_UNPACKED_BYTES;
    search.write(over > 0 ? chunk.subarray(0, chunk.length - over) : chunk);
    if (over < 0) return;
    search.end();
    if (!search.found()) giveUp(textNotFound(text, ` in the first ${LIMIT} of the response`));
  };

  const finish = (): void => {
    if (search && !packed && codings.length > 0) {
      complete(
        new Finding(
          'failed',
          'content',
          `The response is encoded as ${quoted(codings.join(', '))}, which can't be searched.`,
        ),
      );
      return;
    }
    search?.end();
    complete(search && !search.found() ? textNotFound(text, ' in the response') : null);
  };

  const unpacker = packed
    ? createUnpacker(codings, {
        data: (chunk) => {
          look(chunk);
          return true;
        },
        error: () => {
          giveUp(new Finding('down', 'protocol', `The response is not valid ${codings.join(', ')}, or it is cut off.`));
        },
        end: finish,
        drain: events.drain,
      })
    : null;

  return {
    write: (chunk) => {
      received += chunk.length;
      if (settled) return true;
      if (unpacker) return unpacker.write(chunk);
      look(chunk);
      return true;
    },
    end: () => {
      if (unpacker) unpacker.end();
      else finish();
    },
    destroy: () => {
      settled = true;
      unpacker?.destroy();
    },
    get received() {
      return received;
    },
  };
};
