import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../../file-modes.ts';
import { orUnavailable } from '../../sqlite/failures.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { validateHead } from '../validate-head.ts';
import { remainingBytes, tooLargeError } from '../limits.ts';
import { measure } from '../measure.ts';
import { ArtifactLost, ArtifactsUnavailable, type Artifact, type ArtifactLimits, type Artifacts } from '../port.ts';
import { openFileContents } from './contents.ts';
import { openFileIndex, MIGRATIONS, type IndexedArtifact } from './index.ts';

export interface FileArtifactsOptions {
  /** created if absent; no other program is allowed to write to this folder */
  folder: string;
  limits: ArtifactLimits;
  /** returns the free bytes on the disk of a folder; replaced in tests */
  free?: (folder: string) => Promise<number>;
}

/** The artifact index is missing, although artifacts exist. */
export class ArtifactIndexLost extends Error {
  constructor(index: string, folder: string) {
    super(
      `${index} is missing, but the files that it lists are there. Restore it from a backup, or move ${folder} away to go on without them.`,
    );
    this.name = 'ArtifactIndexLost';
  }
}

export const indexFilePath = (folder: string): string => join(folder, 'index.db');
export const contentFolderPath = (folder: string): string => join(folder, 'files');

const available = orUnavailable('The index of artifacts', ArtifactsUnavailable);

/**
 * Opens a store that keeps content in files, and the index of artifacts in one SQLite file. An artifact is added to the
 * index after all of its content is on the disk, and is visible from then on.
 *
 * @throws ArtifactIndexLost
 * @throws NewerSchema
 */
export const openFileArtifacts = ({ folder, limits, free }: FileArtifactsOptions): Artifacts => {
  const [file, contentFolder] = [indexFilePath(folder), contentFolderPath(folder)];
  mkdirSync(contentFolder, { recursive: true, mode: 0o700 });
  makePrivate(folder, contentFolder);
  if (!existsSync(file) && readdirSync(contentFolder).length > 0) throw new ArtifactIndexLost(file, folder);
  const connection = available(() => openDatabase(file, { migrations: MIGRATIONS, synchronous: 'FULL' }));
  const index = openFileIndex(connection, limits);
  const contents = openFileContents(contentFolder, free);
  const ask = async <T>(action: () => T): Promise<T> => available(action);

  const removeAll = async (gone: readonly IndexedArtifact[]): Promise<void> => {
    // If a file can't be removed now, the next sweep removes it.
    for (const { content } of gone) await contents.remove(content).catch(() => undefined);
  };

  return {
    store: async (given, content) => {
      const head = validateHead(given);
      const { organization_id, run_id } = head;
      const room = (): number => remainingBytes(limits, head, index.run(organization_id, run_id));
      const there = await ask(() => index.find(head.id));
      if (there) return shown(there);
      const { bytes, result } = measure(content, await ask(room), () => tooLargeError(limits, head));
      const written = await contents.write(bytes);
      try {
        const artifact = { ...head, ...result() };
        const meanwhile = index.find(head.id);
        if (meanwhile) {
          await contents.remove(written);
          return shown(meanwhile);
        }
        const refuse = (): void => {
          if (artifact.size > room()) throw tooLargeError(limits, head);
        };
        await removeAll(await ask(() => index.add({ ...artifact, content: written }, refuse)));
        return artifact;
      } catch (error) {
        // The commit may have succeeded although it reported a failure. So the content is removed only if it is not in
        // the index.
        if (!(await ask(() => index.hasContent(written)))) await contents.remove(written);
        throw error;
      } finally {
        contents.done(written);
      }
    },

    find: (id) =>
      ask(() => {
        const found = index.find(id);
        return found ? shown(found) : null;
      }),

    read: async (id, range) => {
      const found = await ask(() => index.find(id));
      if (!found) throw new ArtifactLost(`The artifact ${id}`);
      return contents.read(found.content, found.size, range);
    },

    listOfRun: (organizationId, runId) => ask(() => index.ofRun(organizationId, runId).map(shown)),

    remove: async (id) => {
      const gone = await ask(() => index.remove(id));
      if (gone) await removeAll([gone]);
      return gone !== undefined;
    },

    removeOfRunsBefore: async (before, signal) => {
      for (let removed = 0; ;) {
        const gone = signal.aborted ? [] : await ask(() => index.removeOfRunsBefore(before));
        if (gone.length === 0) return removed;
        await removeAll(gone);
        removed += gone.length;
      }
    },

    usage: (organizationId) => ask(() => index.usage(organizationId)),

    async *all() {
      for (let page = await ask(() => index.page(null)); page.length > 0;) {
        yield page.map(shown);
        const last = page.at(-1) ?? null;
        page = await ask(() => index.page(last));
      }
    },

    sweep: () => contents.sweep((content) => available(() => index.hasContent(content))),

    close: () =>
      ask(() => {
        connection.close();
      }),
  };
};

const shown = (row: IndexedArtifact): Artifact => {
  const { id, organization_id, run_id, name, media_type, created_at, size, sha256 } = row;
  return { id, organization_id, run_id, name, media_type, created_at, size, sha256 };
};
