import { appendFileSync, chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../service/operator-error.ts';
import { isSafe } from './files.ts';

/** The files that an export has written, with the SHA-256 of each content. */
interface Manifest {
  page_id: string;
  files: Record<string, string>;
}

const MANIFEST = '.uptrail-export.json';
/**
 * Name of the journal, a list of the files that the export began to write after it had written the manifest. If the
 * process is killed, the next export learns from the journal that these files are exported files.
 */
const JOURNAL = '.uptrail-export.journal';

/** The folder of an export. Only files that an export wrote are overwritten or deleted. */
export interface ExportFolder {
  /** Writes a file, unless it already has this content. @returns whether the file was written */
  write: (file: string, content: string | Uint8Array) => boolean;
  /** Marks a file as unchanged. @returns false if the file no longer exists */
  markUnchanged: (file: string) => boolean;
  /**
   * Deletes exported files that were neither written nor marked as unchanged since the previous call.
   *
   * @returns the number of deleted files
   */
  finish: () => number;
}

export interface ExportFolderOptions {
  pageId: string;
  /** whether only the owner can read the files, because the page is not public */
  isPrivate: boolean;
}

/** Opens the folder of an export. @throws OperatorError the folder contains the export of another page */
export const openExportFolder = (folder: string, { pageId, isPrivate }: ExportFolderOptions): ExportFolder => {
  const modes = isPrivate ? { file: 0o600, folder: 0o700 } : { file: 0o644, folder: 0o755 };
  if (!existsSync(folder)) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, modes.folder);
  }
  const manifest = readManifest(folder);
  if (manifest && manifest.page_id !== pageId)
    throw new OperatorError(
      `${folder} contains the export of another page (${manifest.page_id}). Use a separate folder.`,
    );
  const owned = new Map(Object.entries(manifest?.files ?? {}).filter(([file]) => isSafe(file)));
  for (const file of readJournal(folder)) if (!owned.has(file)) owned.set(file, '');
  const folders = new Set<string>();
  let current = new Set<string>();

  /** Creates the folder of a file. Refuses symbolic links, because they could lead out of the export folder. */
  const makeFolder = (path: string): void => {
    if (path === '.' || folders.has(path)) return;
    makeFolder(dirname(path));
    const whole = join(folder, path);
    const found = lstatSync(whole, { throwIfNoEntry: false });
    if (found && !found.isDirectory()) throw new OperatorError(`${whole} is not a folder. Move it away.`);
    if (!found) {
      mkdirSync(whole);
      chmodSync(whole, modes.folder);
    }
    folders.add(path);
  };

  const writeWhole = (file: string, content: string | Uint8Array): void => {
    const beside = join(folder, dirname(file), `.uptrail-${process.pid}.new`);
    try {
      writeFileSync(beside, content);
      chmodSync(beside, modes.file);
      renameSync(beside, join(folder, file));
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    }
  };

  return {
    write: (file, content) => {
      if (!isSafe(file)) throw new Error(`"${file}" is not a valid file name.`);
      current.add(file);
      const digest = createHash('sha256').update(content).digest('hex');
      makeFolder(dirname(file));
      const whole = join(folder, file);
      const found = lstatSync(whole, { throwIfNoEntry: false });
      if (found?.isDirectory() || (found && !owned.has(file)))
        throw new OperatorError(`${whole} already exists, and no export wrote it. Use an empty folder.`);
      if (found && owned.get(file) === digest) return false;
      if (!owned.has(file)) appendFileSync(join(folder, JOURNAL), `${file}\n`);
      // Until the write has finished, the content of the file is unknown, so no hash is recorded.
      owned.set(file, '');
      writeWhole(file, content);
      owned.set(file, digest);
      return true;
    },
    markUnchanged: (file) => {
      if (!owned.has(file) || !existsSync(join(folder, file))) return false;
      current.add(file);
      return true;
    },
    finish: () => {
      const stale = [...owned.keys()].filter((file) => !current.has(file));
      for (const file of stale) {
        remove(folder, file);
        owned.delete(file);
      }
      folders.clear();
      const files = Object.fromEntries([...owned].sort(([a], [b]) => (a < b ? -1 : 1)));
      writeWhole(MANIFEST, `${JSON.stringify({ page_id: pageId, files } satisfies Manifest)}\n`);
      rmSync(join(folder, JOURNAL), { force: true });
      current = new Set();
      return stale.length;
    },
  };
};

/** Removes a file, and all folders that are empty afterwards. */
const remove = (folder: string, file: string): void => {
  for (let path = dirname(file); path !== '.'; path = dirname(path)) {
    // If a folder on the path was replaced by a symbolic link, the file does not belong to the export, so it is not
    // removed.
    if (!lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory()) return;
  }
  rmSync(join(folder, file), { force: true });
  for (let path = dirname(file); path !== '.'; path = dirname(path)) {
    try {
      rmdirSync(join(folder, path));
    } catch {
      return;
    }
  }
};

const readManifest = (folder: string): Manifest | null => {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) return null;
  try {
    const { page_id, files } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Manifest>;
    if (typeof page_id === 'string' && typeof files === 'object') return { page_id, files };
  } catch {
    // The error is reported below.
  }
  throw new OperatorError(`${file} is damaged. Export to another folder.`);
};

const readJournal = (folder: string): string[] => {
  const file = join(folder, JOURNAL);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((name) => name !== '' && isSafe(name));
};
