import { ArtifactRefused, type ArtifactHead, type ArtifactLimits, type Usage } from './port.ts';

export const MEBIBYTE = 1_048_576;

/** What one run may store, regardless of its organization's limit. */
export const RUN_LIMITS = { runFiles: 20, runBytes: 50 * MEBIBYTE } as const;

const inMebibytes = (bytes: number): string => {
  const mebibytes = bytes / MEBIBYTE;
  return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${bytes} bytes`;
};

/**
 * Returns the maximum size in bytes of a file that is about to be stored.
 *
 * @param run usage of the run so far; undefined if the file belongs to no run
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

/** Returns the error for a file that is larger than {@link remainingBytes} allows. */
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

/** Returns the number of files and their total size. */
export const usageOf = (files: readonly { size: number }[]): Usage => ({
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0),
});

/**
 * Returns the files to remove so that an organization stays within its limit.
 *
 * @param oldestFirst files of the organization
 * @param bytes total size of all files of the organization
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
