import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { BACKED_UP } from '../../service/embedded/finish-restore.ts';
import { OperatorError } from '../../service/operator-error.ts';

const Log = Type.Object({ log_id: Type.String(), position: Type.String(), events: Type.Integer() });

/** The contents of a backup. The manifest is written last, so a folder without a manifest is not a complete backup. */
const Manifest = Type.Object({
  format: Type.Literal(1),
  made_at: Type.String(),
  release: Type.String(),
  files: Type.Array(Type.Object({ name: Type.String(), bytes: Type.Integer(), sha256: Type.String() })),
  logs: Type.Object({ main: Log, results: Log }),
});
export type Manifest = Static<typeof Manifest>;

export const MANIFEST = 'manifest.json';

/** Returns the name, size and hash of a file in a backup. */
export const entryOf = async (folder: string, name: string): Promise<Manifest['files'][number]> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
  return { name, bytes: statSync(join(folder, name)).size, sha256: hash.digest('hex') };
};

/** @throws OperatorError the folder is not a backup, is incomplete, or was written by a newer release */
export const readManifest = (folder: string): Manifest => {
  const file = join(folder, MANIFEST);
  if (!existsSync(file)) {
    throw new OperatorError(
      existsSync(folder)
        ? `${file} does not exist: this is not a backup, or the backup was never finished. Nothing was restored from it.`
        : `The folder ${folder} does not exist.`,
    );
  }
  const manifest = parsed(file);
  if (Value.Check(Manifest, manifest)) return manifest;
  throw new OperatorError(`${file} is damaged, or was written by a newer release.`);
};

const parsed = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/**
 * Compares files of a folder with its manifest.
 *
 * @param names the files to compare; default: all databases
 * @throws OperatorError names the first file that differs
 */
export const compareFiles = async (
  folder: string,
  { files }: Manifest,
  names: readonly string[] = BACKED_UP,
): Promise<void> => {
  for (const name of names) {
    const written = files.find((file) => file.name === name);
    const path = join(folder, name);
    if (!written || !existsSync(path)) throw new OperatorError(`${path} is missing: this backup is incomplete.`);
    const { bytes, sha256 } = await entryOf(folder, name);
    if (bytes !== written.bytes) {
      throw new OperatorError(`${path} has ${bytes} bytes instead of ${written.bytes}: this backup is damaged.`);
    }
    if (sha256 !== written.sha256)
      throw new OperatorError(`${path} is damaged: its checksum differs from the one in the manifest.`);
  }
};
