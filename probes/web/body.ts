import type { IncomingHttpHeaders } from 'node:http';
import { firstValue } from '../../network/http/fields.ts';
import { ProbeFailure } from '../engine/probe-failure.ts';
import { unknownCharset } from './charset.ts';
import { codingsOf } from './content-codings.ts';
import type { CompressionFlaw } from './decompression-layer.ts';
import type { BodyExamination } from './body-examination.ts';
import { flawNote, ignoredCharsetNote, ignoredCodingNote } from './notes.ts';
import { createContentDecoder } from './decompress.ts';

/** Maximum number of bytes of a body that are read. Applies to compressed and to decompressed bytes. */
export const MAX_BYTES = 10 * 1024 * 1024;
const LIMIT = '10 MiB';

/** Reads a body piece by piece, without storing it, until all requirements are decided. */
export interface BodyReader {
  /** Adds bytes. @returns false if the caller should wait for `drain` before it writes more */
  write: (chunk: Buffer) => boolean;
  /** Call when the body is complete. */
  end: () => void;
  destroy: () => void;
  /** number of received bytes, before decompression */
  readonly received: number;
}

export interface BodyEvents {
  drain: () => void;
  /** Called when all requirements on the body are decided. @param failure the failure of the body, or null */
  complete: (failure: ProbeFailure | null) => void;
  /** Called with a sentence about a tolerated defect. */
  note: (sentence: string) => void;
  /** Called when the body has a failure that the rest of the body can't change. */
  hopeless: (failure: ProbeFailure) => void;
}

const tooLarge = (how: string): ProbeFailure => new ProbeFailure('failed', 'size', `The response ${how} ${LIMIT}.`);

export interface BodyOptions {
  headers: IncomingHttpHeaders;
  /** receives the decompressed body */
  examination: BodyExamination;
  /**
   * whether the response states where the body ends (by a length or by chunks). If so, compressed data that is cut off
   * was sent like this by the server, and is tolerated. If not, the rest of the data may have been lost in transit, so
   * the body is invalid.
   */
  isDelimited: boolean;
}

export const createBodyReader = (
  { headers, examination, isDelimited }: BodyOptions,
  events: BodyEvents,
): BodyReader => {
  const codings = codingsOf([headers['content-encoding'] ?? []].flat().join());
  const packed = codings.compressed.length > 0;
  examination.begin(headers, codings.unreadable);
  if (codings.ignored.length > 0) events.note(ignoredCodingNote(codings.ignored));
  const charset = examination.hasRequirements ? unknownCharset(firstValue(headers, 'content-type') ?? '') : null;
  if (charset !== null) events.note(ignoredCharsetNote(charset));
  let received = 0;
  let unpacked = 0;
  let settled = false;

  const settle = (tell: () => void): void => {
    if (settled) return;
    settled = true;
    unpacker?.destroy();
    tell();
  };
  const giveUp = (failure: ProbeFailure): void => {
    settle(() => {
      events.hopeless(failure);
    });
  };
  const complete = (failure: ProbeFailure | null): void => {
    settle(() => {
      events.complete(failure);
    });
  };

  const look = (chunk: Buffer): void => {
    const room = MAX_BYTES - unpacked;
    unpacked += chunk.length;
    examination.write(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (examination.isDecided()) complete(examination.failure(' in the response'));
    else if (packed && !examination.hasRequirements) {
      if (chunk.length > room) giveUp(tooLarge('decompresses to more than'));
    } else if (chunk.length >= room) {
      const failure = examination.failure(` in the first ${LIMIT} of the response`);
      if (failure) giveUp(failure);
      else complete(null);
    }
  };

  const atEnd = (): void => {
    complete(examination.failure(' in the response'));
  };

  const notUnpacked = (): void => {
    const names = codings.compressed.join(', ');
    giveUp(new ProbeFailure('down', 'protocol', `The response is not valid ${names}, or it is cut off.`));
  };
  const onFlaw = (coding: string, flaw: CompressionFlaw): void => {
    if (settled) return;
    if (flaw === 'unfinished' && !isDelimited) notUnpacked();
    else events.note(flawNote(coding, flaw));
  };

  const unpacker = packed
    ? createContentDecoder(codings.compressed, {
        data: (chunk) => {
          look(chunk);
          return true;
        },
        error: notUnpacked,
        flaw: onFlaw,
        end: atEnd,
        drain: events.drain,
      })
    : null;

  return {
    write: (chunk) => {
      received += chunk.length;
      if (settled) return true;
      if (unpacker && received <= MAX_BYTES) return unpacker.write(chunk);
      if (unpacker) giveUp(tooLarge('has, compressed, more than'));
      else look(chunk);
      return true;
    },
    end: () => {
      if (unpacker) unpacker.end();
      else atEnd();
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
