import type { Transform } from 'node:stream';

/** A decompressing stream of Node.js. */
export type ZlibStream = Transform & {
  /** number of consumed bytes of the input */
  readonly bytesWritten: number;
};

export interface DecompressorEvents {
  /** Receives decompressed bytes. @returns false to pause until `resume` is called */
  data: (chunk: Buffer) => boolean;
  /**
   * Called when the compressed data or the input has ended.
   *
   * @param rest input after the end of the compressed data
   * @param whole false if the input ended before the compressed data; everything that could be decompressed was passed
   * on
   */
  end: (rest: Buffer, whole: boolean) => void;
  /** Called if the data is corrupt. */
  error: (error: Error) => void;
  /** Called when the writer can continue. */
  drain: () => void;
}

/** Decompresses one stream of data, and finds the end of the data in the input. */
export interface Decompressor {
  /** Adds compressed bytes. @returns false if the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  /** Call when the input is complete. */
  end: () => void;
  resume: () => void;
  destroy: () => void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Creates a decompressor. At the end of truncated input, Node.js reports an error and discards pending output, so the
 * stream is ended only after all output has been passed on.
 */
export const createDecompressor = (stream: ZlibStream, events: DecompressorEvents): Decompressor => {
  /** chunks of input that the stream has not consumed completely */
  let fed: Buffer[] = [];
  /** number of bytes of input before `fed` */
  let used = 0;
  /** number of chunks whose processing has not ended */
  let waiting = 0;
  let inputEnded = false;
  let ending = false;
  let over = false;

  const dropUsed = (): void => {
    let [first] = fed;
    while (first && used + first.length <= stream.bytesWritten) {
      used += first.length;
      fed.shift();
      [first] = fed;
    }
  };
  const finish = (rest: Buffer, whole: boolean): void => {
    if (over) return;
    over = true;
    fed = [];
    stream.destroy();
    events.end(rest, whole);
  };
  const endWhenDrained = (): void => {
    if (!inputEnded || ending || over || waiting > 0 || stream.readableLength > 0) return;
    ending = true;
    stream.end();
  };

  stream.on('data', (chunk: Buffer) => {
    if (over) return;
    if (!events.data(chunk)) stream.pause();
    endWhenDrained();
  });
  stream.once('end', () => {
    finish(Buffer.concat(fed).subarray(stream.bytesWritten - used), true);
  });
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (over) return;
    if (ending && error.code === 'Z_BUF_ERROR') {
      finish(NOTHING, false);
      return;
    }
    over = true;
    events.error(error);
  });
  stream.on('drain', () => {
    if (!over) events.drain();
  });

  return {
    write: (chunk) => {
      if (over) return true;
      dropUsed();
      fed.push(chunk);
      waiting += 1;
      return stream.write(chunk, () => {
        waiting -= 1;
        endWhenDrained();
      });
    },
    end: () => {
      inputEnded = true;
      endWhenDrained();
    },
    resume: () => {
      stream.resume();
    },
    destroy: () => {
      over = true;
      stream.destroy();
    },
  };
};
