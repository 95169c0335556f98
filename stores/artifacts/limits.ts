import { ArtifactRefused, type ArtifactHead, type ArtifactLimits, type Usage } from './port.ts';

export const MEBIBYTE = 1_048_576;

/** What one run may store, regardless of its organization's limit. */
export const RUN_LIMITS = { runFiles: 20, runBytes: 50 * MEBIBYTE } as const;

const inMebibytes = (bytes: number): string => {
  const mebibytes = bytes / MEBIBYTE;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
};

/**
 * How many bytes a file that is about to be stored may have.
 *
 * @param run what the run has stored already; undefined when the file belongs to no run
 * @throws ArtifactRefused the run has too many files already
 */
export const remainingBytes = (
  limits: ArtifactLimits,
  { run_id }: Pick<ArtifactHead, 'run_id'>,
  run: Usage,
): number => {
  if (run_id !== null && run.files >= limits.runFiles) {
    throw new ArtifactRefused(`A run can store ${limits.runFiles} files, and this one already has that many.`);
  }
  return Math.min(limits.runBytes - run.bytes, limits.organizationBytes);
};

/** The error for a file that exceeds the remaining room. */
export const tooLargeError = (limits: ArtifactLimits, { run_id }: Pick<ArtifactHead, 'run_id'>): ArtifactRefused => {
  if (limits.organizationBytes < limits.runBytes) {
    return new ArtifactRefused(
      `A file can't be larger than what an organization can store, ${inMebibytes(limits.organizationBytes)} (ARTIFACTS_LIMIT_MIB).`,
    );
  }
  const most = inMebibytes(limits.runBytes);
  return new ArtifactRefused(
    run_id === null
      ? `A file can be at most ${most} in size.`
      : `The files of a run can be at most ${most} in total, including this one.`,
  );
};

/** Total usage of these files. */
export const usageOf = (files: readonly { size: number }[]): Usage => ({
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
});

/**
 * Which files of an organization are removed to stay within its limit.
 *
 * @param oldestFirst its files
 * @param bytes total size of its files
 */
export const selectSurplus = <F extends { size: number }>(
  oldestFirst: Iterable<F>,
  bytes: number,
  { organizationBytes }: ArtifactLimits,
): F[] => {
  const going: F[] = [];
  let stored = bytes;
  for (const file of oldestFirst) {
    if (stored <= organizationBytes) break;
    going.push(file);
    stored -= file.size;
  }
  return going;
};
