import { ArtifactRefused, type ArtifactHead, type ArtifactLimits, type Usage } from './port.ts';

export const MEBIBYTE = 1_048_576;

/** What one run may keep, whatever an organization may. */
export const RUN_LIMITS = { runFiles: 20, runBytes: 50 * MEBIBYTE } as const;

const inMebibytes = (bytes: number): string => {
  const mebibytes = bytes / MEBIBYTE;
  return Number.isInteger(mebibytes) ? `${mebibytes.toString()} MiB` : `${bytes.toString()} bytes`;
};

/**
 * How many bytes a file may have that is about to be stored.
 *
 * @param run what its run has already; nothing where no run has made it
 * @throws ArtifactRefused its run has too many files already
 */
export const roomFor = (limits: ArtifactLimits, { run_id }: Pick<ArtifactHead, 'run_id'>, run: Usage): number => {
  if (run_id !== null && run.files >= limits.runFiles) {
    throw new ArtifactRefused(`A run can keep ${limits.runFiles.toString()} files, and this one has as many already.`);
  }
  return Math.min(limits.runBytes - run.bytes, limits.organizationBytes);
};

/** Why a file with more bytes than there is room for is not kept. */
export const tooLarge = (limits: ArtifactLimits, { run_id }: Pick<ArtifactHead, 'run_id'>): ArtifactRefused => {
  if (limits.organizationBytes < limits.runBytes) {
    return new ArtifactRefused(
      `A file can have no more than what an organization can keep, ${inMebibytes(limits.organizationBytes)} (ARTIFACTS_LIMIT_MIB).`,
    );
  }
  const most = inMebibytes(limits.runBytes);
  return new ArtifactRefused(
    run_id === null ? `A file can have ${most}.` : `The files of a run can have ${most} together, this one included.`,
  );
};

/**
 * Which files of an organization give way, so that it keeps no more than it may.
 *
 * @param oldestFirst its files
 * @param bytes of all its files
 */
export const givingWay = <F extends { size: number }>(
  oldestFirst: Iterable<F>,
  bytes: number,
  { organizationBytes }: ArtifactLimits,
): F[] => {
  const going: F[] = [];
  let kept = bytes;
  for (const file of oldestFirst) {
    if (kept <= organizationBytes) break;
    going.push(file);
    kept -= file.size;
  }
  return going;
};
