import type { Transform } from 'node:stream';

/** A decompressing stream of Node.js. */
export type ZlibStream = Transform & {
  /** bytes of input consumed */
  readonly bytesWritten: number;
};

export interface DecompressorEvents {
  /** @returns false to pause until `resume` is called */
  data: (chunk: Buffer) => boolean;
  /**
   * The compressed data has ended, or its input has.
   *
   * @param rest input after the end of the data
   * @param whole false: the input ended first; all that could be decompressed was passed on
   */
  end: (rest: Buffer, whole: boolean) => void;
  /** the data is corrupt */
  error: (error: Error) => void;
  /** the writer may continue */
  drain: () => void;
}

/** Decompresses one stream of data, and finds where it ends. */
export interface Decompressor {
  /** @returns false when the writer should wait for `drain` */
  write: (chunk: Buffer) => boolean;
  /** Call when the input is complete. */
  end: () => void;
  resume: () => void;
  destroy: () => void;
}

const NOTHING = Buffer.alloc(0);

/**
 * Node.js reports truncated input as an error and discards the last output, so the stream is ended only after all
 * output has been passed on.
 */
export const createDecompressor = (stream: ZlibStream, events: DecompressorEvents): Decompressor => {
  /** input that may be unused: from the chunk that the stream is processing */
  let fed: Buffer[] = [];
  /** bytes of input before that */
  let used = 0;
  /** chunks that the stream has not finished */
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
