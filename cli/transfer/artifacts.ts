import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Type, type Static } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Instant } from '../../domain/time.ts';
import { flushFolder } from '../../service/embedded/flush.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { ArtifactLost, type Artifact, type Artifacts } from '../../stores/artifacts/port.ts';
import { makePrivate } from '../../stores/file-modes.ts';
import { makePrivateFolder } from '../private-folder.ts';
import { unusableFile } from './format.ts';
import { linesOf } from './lines.ts';

/**
 * Exported artifacts consist of a text file and a folder. The text file contains JSON lines: a head, a line for each
 * artifact, and an end with the SHA-256 of all preceding bytes. The folder contains the content of each artifact. Each
 * content file is named after its own SHA-256.
 */
const FORMAT = 1;
export const ARTIFACTS_FILE = 'artifacts.jsonl';
export const CONTENTS_FOLDER = 'artifacts';

/** Matches the name of a content file, or of an incomplete one (`.new`). */
const CONTENT = /^[0-9a-f]{64}(\.new)?$/;

const isContent = (name: string): boolean => CONTENT.test(name);

/** Whether a folder contains only content files of an export. */
export const containsOnlyContents = (folder: string): boolean => readdirSync(folder).every(isContent);

const Head = Type.Object({ uptrail: Type.Literal('artifacts'), format: Type.Integer(), service: Type.String() });
const SHA256 = /^[0-9a-f]{64}$/;
const Sha256 = Type.RegExp(SHA256);
const Line = Type.Object({
  id: Type.String(),
  organization_id: Type.String(),
  run_id: Type.Union([Type.String(), Type.Null()]),
  name: Type.String(),
  media_type: Type.String(),
  created_at: Type.String(),
  size: Type.Integer({ minimum: 0 }),
  sha256: Sha256,
});
const End = Type.Object({ end: Type.Object({ files: Type.Integer(), sha256: Sha256 }) });

export interface ExportedArtifacts {
  files: number;
  /** ids of the artifacts whose content is missing or damaged */
  lost: string[];
}

/**
 * Writes all artifacts into a folder. Existing contents are not written again. The contents of deleted artifacts are
 * removed. Other files in the folders are not touched.
 *
 * @param service id of the log `main` of the same service
 */
export const exportArtifacts = async (
  artifacts: Artifacts,
  { folder, service, signal }: { folder: string; service: string; signal: AbortSignal },
): Promise<ExportedArtifacts> => {
  const contents = join(folder, CONTENTS_FOLDER);
  makePrivateFolder(contents, isContent);
  // Restore the permissions of existing files. They may have been changed after an earlier export.
  const before = readdirSync(contents).filter(isContent);
  makePrivate(...before.map((name) => join(contents, name)));
  const named = new Set<string>();
  const exported: ExportedArtifacts = { files: 0, lost: [] };
  const file = join(folder, ARTIFACTS_FILE);
  const handle = await open(`${file}.new`, 'w', 0o600);
  makePrivate(`${file}.new`);
  try {
    const hash = createHash('sha256');
    const put = async (line: object): Promise<void> => {
      const text = `${JSON.stringify(line)}\n`;
      hash.update(text);
      await handle.write(text);
    };
    await put({ uptrail: 'artifacts', format: FORMAT, service } satisfies Static<typeof Head>);
    for await (const page of artifacts.all()) {
      for (const artifact of page) {
        if (signal.aborted) throw interrupted();
        // An imported index may contain any text here, so the hash must be validated before it is used as a file name.
        if (
          !SHA256.test(artifact.sha256) ||
          !(await writeContent(artifacts, artifact, join(contents, artifact.sha256)))
        ) {
          // An artifact that was deleted during the export does not count as lost.
          if (await artifacts.find(artifact.id)) exported.lost.push(artifact.id);
          continue;
        }
        named.add(artifact.sha256);
        exported.files++;
        await put(artifact);
      }
    }
    const sha256 = hash.digest('hex');
    await handle.write(`${JSON.stringify({ end: { files: exported.files, sha256 } })}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  flushFolder(contents);
  await rename(`${file}.new`, file);
  flushFolder(folder);
  for (const name of readdirSync(contents)) {
    if (isContent(name) && !named.has(name)) rmSync(join(contents, name), { force: true });
  }
  return exported;
};

const interrupted = (): OperatorError => new OperatorError('Interrupted. Run the same command again to continue.');

/** Writes the content of an artifact to a file. @returns whether the content is complete and undamaged */
const writeContent = async (artifacts: Artifacts, { id, size, sha256 }: Artifact, file: string): Promise<boolean> => {
  if (existsSync(file) && statSync(file).size === size) return true;
  try {
    await writeFile(`${file}.new`, await artifacts.read(id), { mode: 0o600, flush: true });
  } catch (error) {
    rmSync(`${file}.new`, { force: true });
    if (error instanceof ArtifactLost) return false;
    throw error;
  }
  const isWhole = (await hashOf(`${file}.new`)) === sha256;
  if (isWhole) await rename(`${file}.new`, file);
  else rmSync(`${file}.new`);
  return isWhole;
};

const hashOf = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
};

/** The artifacts of an export. Their contents have been verified. */
export interface VerifiedArtifacts {
  service: string;
  /** sorted, oldest first */
  artifacts: Artifact[];
}

/**
 * Verifies an export of artifacts completely, before any artifact is imported.
 *
 * @returns null if the export contains no artifacts, such as an export by an older release
 * @throws OperatorError names the missing or damaged file
 */
export const verifyExportedArtifacts = async (
  folder: string,
  signal: AbortSignal,
): Promise<VerifiedArtifacts | null> => {
  const file = join(folder, ARTIFACTS_FILE);
  if (!existsSync(file)) return null;
  const hash = createHash('sha256');
  const verified: VerifiedArtifacts = { service: '', artifacts: [] };
  let isWhole = false;
  for await (const lines of linesOf(file)) {
    for (const { bytes } of lines) {
      const line = parsed(bytes);
      if (Value.Check(End, line)) {
        const { files, sha256 } = line.end;
        isWhole = files === verified.artifacts.length && sha256 === hash.digest('hex');
        break;
      }
      hash.update(bytes).update('\n');
      if (Value.Check(Head, line)) {
        if (line.format > FORMAT)
          throw unusableFile(file, 'was written by a newer release. Import it with that release.');
        verified.service = line.service;
      } else if (Value.Check(Line, line)) verified.artifacts.push(line);
      else throw unusableFile(file, 'is damaged. Nothing of it was imported.');
    }
  }
  if (!isWhole || verified.service === '') throw unusableFile(file, 'is incomplete or damaged. Run the export again.');
  for (const { sha256 } of verified.artifacts) {
    if (signal.aborted) throw interrupted();
    const content = join(folder, CONTENTS_FOLDER, sha256);
    if (!existsSync(content))
      throw unusableFile(content, 'does not exist. No artifact was imported. Run the export again.');
    if ((await hashOf(content)) === sha256) continue;
    throw unusableFile(content, 'is damaged. No artifact was imported. Remove the file and run the export again.');
  }
  return verified;
};

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
};

/**
 * Stores verified artifacts, oldest first, so that the newest ones remain if the limit of an organization is reached.
 *
 * @param from start of retention: artifacts of runs from before this time are left out
 * @returns the number of artifacts that were new
 */
export const importArtifacts = async (
  target: Artifacts,
  { artifacts }: VerifiedArtifacts,
  { folder, from, signal }: { folder: string; from: Instant; signal: AbortSignal },
): Promise<number> => {
  let added = 0;
  for (const head of artifacts) {
    if (signal.aborted) throw interrupted();
    if (head.run_id !== null && head.created_at < from) continue;
    if (await target.find(head.id)) continue;
    const { sha256 } = head;
    const content = join(folder, CONTENTS_FOLDER, sha256);
    const stored = await target.store(head, createReadStream(content) as AsyncIterable<Buffer>);
    if (stored.sha256 !== sha256) {
      await target.remove(stored.id);
      throw unusableFile(content, 'changed during the import.');
    }
    added++;
  }
  return added;
};
