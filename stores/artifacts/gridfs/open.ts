import { setTimeout as sleep } from 'node:timers/promises';
import { ObjectId } from 'mongodb';
import { createKeyedMutex } from '../../../domain/concurrency/mutex.ts';
import type { MongoDb } from '../../mongodb/database.ts';
import { validateHead } from '../validate-head.ts';
import { selectSurplus, remainingBytes, tooLargeError, usageOf } from '../limits.ts';
import { measure } from '../measure.ts';
import {
  ArtifactLost,
  ArtifactRefused,
  ArtifactsUnavailable,
  type Artifact,
  type ArtifactHead,
  type ArtifactLimits,
  type Artifacts,
} from '../port.ts';
import { openGridFsContents } from './contents.ts';
import { openGridFsIndex, type ArtifactDocument } from './index.ts';

export interface GridFsArtifactsOptions {
  limits: ArtifactLimits;
  /** milliseconds after which unfinished content counts as abandoned; only tests set this */
  abandonedAfter?: number;
}

/**
 * `TRIES`: maximum number of attempts to add a file to a run while other processes add files to the same run. `PAUSE`:
 * longest pause between two attempts, in milliseconds.
 */
const TRIES = 6;
const PAUSE = 50;

/**
 * Opens a store that keeps content in GridFS, and one document per artifact in the collection `artifacts`. A file is
 * visible when its document exists. No transactions are needed: a process checks a run's limits after it has written
 * its document. If two processes exceed a limit concurrently, at least one of them sees both documents and withdraws
 * its own.
 */
export const openGridFsArtifacts = (mongo: MongoDb, { limits, abandonedAfter }: GridFsArtifactsOptions): Artifacts => {
  const index = openGridFsIndex(mongo, abandonedAfter);
  const contents = openGridFsContents(mongo);
  const inTurn = createKeyedMutex();

  const drop = async (content: ObjectId): Promise<void> => {
    await contents.remove(content);
    await index.finishRemoval(content);
  };

  const removeAll = async (going: readonly Pick<ArtifactDocument, '_id' | 'content'>[]): Promise<number> => {
    let removed = 0;
    for (const document of going) {
      if (await index.removeFromIndex(document)) removed++;
      await drop(document.content);
    }
    return removed;
  };

  /**
   * Removes the organization's oldest files until the organization is within its limit. Other processes may do the same
   * concurrently. Therefore a file is removed only if the files newer than it alone fill the limit. Files that other
   * processes remove meanwhile are older than these newer files, so they do not change the decision.
   */
  const makeRoom = async (organizationId: string): Promise<void> => {
    while ((await index.usage(organizationId)).bytes > limits.organizationBytes) {
      const oldest = await index.page(organizationId);
      const newer = await index.usage(organizationId, oldest.at(-1));
      await removeAll(selectSurplus(oldest, usageOf(oldest).bytes + newer.bytes, limits));
    }
  };

  /** @throws ArtifactRefused */
  const add = async (document: ArtifactDocument): Promise<boolean> => {
    const { organization_id, run_id, size } = document;
    for (let tries = 1; ; tries++) {
      const before = await index.run(organization_id, run_id);
      if (size > remainingBytes(limits, document, before)) throw tooLargeError(limits, document);
      if (!(await index.add(document))) return false;
      const { files, bytes } = await index.run(organization_id, run_id);
      if (run_id === null || (files <= limits.runFiles && bytes <= limits.runBytes)) return true;
      await index.withdraw(document);
      if (tries === TRIES) throw new ArtifactRefused('Too many files of this run are being stored at the same time.');
      await sleep(Math.random() * PAUSE);
    }
  };

  const keep = async (head: ArtifactHead, artifact: Artifact, content: ObjectId): Promise<Artifact> => {
    const { id: _id, ...rest } = artifact;
    const isThere = await inTurn(head.organization_id, async () => {
      if (!(await add({ _id, ...rest, content }))) return false;
      if (!(await index.finish(content))) {
        await index.withdraw({ _id, content });
        await drop(content);
        throw new ArtifactsUnavailable('Storing the file took too long.');
      }
      await makeRoom(head.organization_id);
      return true;
    });
    if (isThere) return artifact;
    await drop(content);
    const other = await index.find(_id);
    if (!other) throw new ArtifactsUnavailable('The file was removed while it was being stored.');
    return shown(other);
  };

  return {
    store: async (given, bytes) => {
      const head = validateHead(given);
      const there = await index.find(head.id);
      if (there) return shown(there);
      const room = remainingBytes(limits, head, await index.run(head.organization_id, head.run_id));
      const measuring = measure(bytes, room, () => tooLargeError(limits, head));
      const content = new ObjectId();
      await index.begin(content, head.id);
      try {
        await contents.write(content, head.id, measuring.bytes);
        return await keep(head, { ...head, ...measuring.result() }, content);
      } catch (error) {
        // After ArtifactsUnavailable, the outcome of the last write is unknown, and a sweep removes the content if
        // necessary.
        if (!(error instanceof ArtifactsUnavailable)) await drop(content).catch(() => undefined);
        throw error;
      }
    },

    find: async (id) => {
      const found = await index.find(id);
      return found && shown(found);
    },

    read: async (id, range) => {
      const found = await index.find(id);
      if (!found) throw new ArtifactLost(`The artifact ${id}`);
      return contents.read(found.content, found.size, range);
    },

    listOfRun: async (organizationId, runId) => (await index.ofRun(organizationId, runId)).map(shown),

    remove: async (id) => {
      const found = await index.find(id);
      return found !== null && (await removeAll([found])) > 0;
    },

    removeOfRunsBefore: async (before, signal) => {
      for (let removed = 0; ;) {
        const old = signal.aborted ? [] : await index.ofRunsBefore(before);
        if (old.length === 0) return removed;
        removed += await removeAll(old);
      }
    },

    usage: index.usage,

    async *all() {
      for (let page = await index.page(); page.length > 0; page = await index.page(undefined, page.at(-1))) {
        yield page.map(shown);
      }
    },

    sweep: async () => {
      const left = await index.listAbandoned();
      await removeAll(left);
      return left.length;
    },

    close: async () => {
      await Promise.resolve();
    },
  };
};

const shown = (document: ArtifactDocument): Artifact => {
  const { _id: id, organization_id, run_id, name, media_type, created_at, size, sha256 } = document;
  return { id, organization_id, run_id, name, media_type, created_at, size, sha256 };
};
