import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyContents, verifyContents, type FolderContents } from '../../stores/artifacts/files/copy.ts';
import { indexFilePath } from '../../stores/artifacts/files/open.ts';
import { checkDatabase } from '../../stores/sqlite/check.ts';
import { removeWal, copyDatabase } from './databases.ts';
import { printable, type Output } from '../../service/output.ts';
import { formatSize } from '../format-size.ts';

/** Name of the folder of artifacts, both in a data directory and in a backup. */
export const ARTIFACTS = 'artifacts';
/** Path of the artifact index, as the manifest of a backup names it. */
export const ARTIFACT_INDEX = `${ARTIFACTS}/index.db`;

/** Maximum number of missing or damaged files that are listed by name. */
const NAMED = 20;

/**
 * Copies the artifacts of a data directory or of a backup. Missing or damaged files are reported and left out, so that
 * one lost screenshot does not prevent the copy.
 *
 * @returns null if the source has no artifact index, as in the data of an older release
 */
export const copyArtifacts = async (from: string, to: string, output: Output): Promise<FolderContents | null> => {
  if (!existsSync(indexFilePath(from))) return null;
  mkdirSync(to, { mode: 0o700 });
  await copyDatabase(indexFilePath(from), indexFilePath(to));
  const found = await copyContents(from, to);
  removeWal(indexFilePath(to));
  checkDatabase(indexFilePath(to));
  for (const line of lossesOf(found)) await output.line(`${line} It is left out.`);
  return found;
};

/**
 * Verifies the artifacts in a folder. In the returned sentences, `whole` describes the intact files, and `lost` names
 * the missing or damaged ones. Returns null if the folder has no artifact index.
 */
export const describeArtifacts = async (folder: string): Promise<{ whole: string; lost: string[] } | null> => {
  const index = indexFilePath(folder);
  if (!existsSync(index)) return null;
  checkDatabase(index);
  const found = await verifyContents(folder);
  if (!found) return null;
  return { whole: `${dirname(index)}: ${describeFiles(found)}, all intact`, lost: lossesOf(found) };
};

export const describeFiles = ({ files, bytes }: { files: number; bytes: number }): string =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${formatSize(bytes)}`;

const lossesOf = ({ lost }: FolderContents): string[] => {
  const named = lost.slice(0, NAMED).map((file) => `${printable(file)} is missing or damaged.`);
  const more = lost.length - named.length;
  return more > 0 ? [...named, `${more} more are missing or damaged.`] : named;
};
