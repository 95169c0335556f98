import { Readable } from 'node:stream';
import type { ObjectId } from 'mongodb';
import { GridFSBucket, type GridFSBucketWriteStream, type GridFSChunk } from 'mongodb';
import type { MongoDb } from '../../mongodb/database.ts';
import { AWAITED, orUnavailable } from '../../mongodb/failures.ts';
import { once } from '../../mongodb/once.ts';
import { ArtifactLost, ArtifactsUnavailable, type ByteRange } from '../port.ts';

const BUCKET = 'artifact_contents';

/** Content in GridFS. */
export interface GridFsContents {
  write: (content: ObjectId, name: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  /** @throws ArtifactLost */
  read: (content: ObjectId, size: number, range?: ByteRange) => Promise<Readable>;
  /** Removes content, even if only a part of it was written. */
  remove: (content: ObjectId) => Promise<void>;
}

/**
 * Opens the content of artifacts in GridFS. Each reader has one chunk in memory, and no open cursor. The driver's own
 * download stream does not suit slow clients: a hundred chunks stay in memory, and the server closes the cursor after a
 * long pause.
 */
export const openGridFsContents = (mongo: MongoDb): GridFsContents => {
  const { db } = mongo;
  const available = orUnavailable(mongo, ArtifactsUnavailable);
  const bucket = new GridFSBucket(db, { bucketName: BUCKET });
  const files = db.collection<{ _id: ObjectId; length: number; chunkSize: number }>(`${BUCKET}.files`);
  const chunks = db.collection<GridFSChunk>(`${BUCKET}.chunks`);
  /** GridFS creates this index automatically, but ignores a failure to create it. */
  const chunksIndexed = once(() => chunks.createIndex({ files_id: 1, n: 1 }, { unique: true }, undefined));

  const chunk = async (content: ObjectId, n: number, length: number): Promise<Buffer> => {
    const found = await available(() => chunks.findOne({ files_id: content, n }));
    const bytes = found && bytesOf(found.data);
    if (bytes?.length !== length) throw lost(content);
    return bytes;
  };

  return {
    write: async (content, name, bytes) => {
      await available(chunksIndexed);
      const upload = bucket.openUploadStreamWithId(content, name);
      // Failures are reported by each write below; without a listener, this event would end the process.
      upload.on('error', () => undefined);
      for await (const part of bytes) await available(() => written(upload, part), AWAITED);
      await available(() => ended(upload), AWAITED);
    },

    read: async (content, size, range = { from: 0, to: size - 1 }) => {
      const file = await available(() => files.findOne({ _id: content }));
      if (file?.length !== size) throw lost(content);
      const { chunkSize } = file;
      const { from, to } = range;
      async function* parts(): AsyncGenerator<Buffer, void, undefined> {
        for (let start = from - (from % chunkSize); start <= to; start += chunkSize) {
          const part = await chunk(content, start / chunkSize, Math.min(chunkSize, size - start));
          yield part.subarray(Math.max(0, from - start), to - start + 1);
        }
      }
      return Readable.from(parts(), { objectMode: false, highWaterMark: 1 });
    },

    remove: (content) =>
      available(async () => {
        // The file document is removed before the chunks, so that no reader starts to read half-deleted content.
        await files.deleteOne({ _id: content });
        await chunks.deleteMany({ files_id: content });
      }, AWAITED),
  };
};

const lost = (content: ObjectId): ArtifactLost => new ArtifactLost(`The file ${content.toHexString()} in ${BUCKET}`);

const bytesOf = (data: GridFSChunk['data'] | { buffer: Uint8Array; position: number }): Buffer =>
  'position' in data
    ? Buffer.from(data.buffer.buffer, data.buffer.byteOffset, data.position)
    : Buffer.from(data.buffer, data.byteOffset, data.length);

const written = (upload: GridFSBucketWriteStream, part: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    upload.write(part, settled(resolve, reject));
  });

const ended = (upload: GridFSBucketWriteStream): Promise<void> =>
  new Promise((resolve, reject) => {
    upload.once('error', reject);
    upload.end(settled(resolve, reject));
  });

const settled =
  (resolve: () => void, reject: (error: Error) => void) =>
  (error?: Error | null): void => {
    if (error) reject(error);
    else resolve();
  };
