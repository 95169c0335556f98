import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { copyContents, readContents, type Contained } from '../../stores/artifacts/files/copy.ts';
import { indexFileIn } from '../../stores/artifacts/files/open.ts';
import { checkDatabase } from '../../stores/sqlite/check.ts';
import { asOneFile, copyDatabase } from './databases.ts';
import { printable, type Output } from '../../service/output.ts';
import { sizeOf } from '../format-size.ts';

/** Name of the artifacts folder, in a data directory and in a backup. */
export const ARTIFACTS = 'artifacts';
/** The artifact index in that folder, as a manifest names it. */
export const ARTIFACT_INDEX = `${ARTIFACTS}/index.db`;

/** Maximum number of lost files that are listed. */
const NAMED = 20;

/**
 * Copies the artifacts of a data directory or of a backup. Missing or damaged files are reported and left out, so that
 * one lost screenshot does not prevent the copy.
 *
 * @returns null if there are none, as in the data of an older release
 */
export const copyArtifacts = async (from: string, to: string, output: Output): Promise<Contained | null> => {
  if (!existsSync(indexFileIn(from))) return null;
  mkdirSync(to, { mode: 0o700 });
  await copyDatabase(indexFileIn(from), indexFileIn(to));
  const found = await copyContents(from, to);
  asOneFile(indexFileIn(to));
  checkDatabase(indexFileIn(to));
  for (const line of lossesOf(found)) await output.line(`${line} It is left out.`);
  return found;
};

/** Describes the intact artifacts and the lost ones of a folder; null if the folder has no artifacts. */
export const verifyArtifacts = async (folder: string): Promise<{ whole: string; lost: string[] } | null> => {
  const index = indexFileIn(folder);
  if (!existsSync(index)) return null;
  checkDatabase(index);
  const found = await readContents(folder);
  if (!found) return null;
  return { whole: `${dirname(index)}: ${tellFiles(found)}, all intact`, lost: lossesOf(found) };
};

export const tellFiles = ({ files, bytes }: { files: number; bytes: number }): string =>
  `${files} ${files === 1 ? 'file' : 'files'}, ${sizeOf(bytes)}`;

const lossesOf = ({ lost }: Contained): string[] => {
  const named = lost.slice(0, NAMED).map((file) => `${printable(file)} is missing or damaged.`);
  const more = lost.length - named.length;
  return more > 0 ? [...named, `${more} more are missing or damaged.`] : named;
};
