import type { Readable } from 'node:stream';
import type { Instant } from '../../domain/time.ts';

/** The metadata of an artifact that is known before its content is. */
export interface ArtifactHead {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, never reused */
  id: string;
  organization_id: string;
  /** result id of the run that created it; null for files of no run, such as reports */
  run_id: string | null;
  /** display name; characters that a file name must not contain are removed */
  name: string;
  /** `image/png`, `text/html; charset=utf-8` */
  media_type: string;
  created_at: Instant;
}

/** A file that the service has created: a screenshot, a report (docs/develop/stores.md#artifacts). */
export interface Artifact extends ArtifactHead {
  /** bytes */
  size: number;
  /** hash of the content, hexadecimal */
  sha256: string;
}

/** A range of bytes. Both ends are inclusive and count from 0. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface Usage {
  files: number;
  bytes: number;
}

/** Limits on what may be stored. */
export interface ArtifactLimits {
  /** files per run */
  runFiles: number;
  /** total bytes of the files of one run; also the maximum size of a file that belongs to no run */
  runBytes: number;
  /** total bytes of an organization; its oldest files are removed to make room for new ones */
  organizationBytes: number;
}

/**
 * Store for artifacts. A stored file is complete and visible to all processes; an interrupted upload leaves no file.
 */
export interface Artifacts {
  /**
   * Stores a file while reading `content`, no faster than the store writes. Removes the organization's oldest files to
   * make room. If the id exists already, the stored file stays unchanged and is returned.
   *
   * @throws ArtifactRefused
   * @throws ArtifactsUnavailable
   * @throws any error that `content` throws; nothing is stored in this case
   */
  store(head: ArtifactHead, content: AsyncIterable<Uint8Array>): Promise<Artifact>;
  /** null if the artifact never existed or was removed */
  find(id: string): Promise<Artifact | null>;
  /**
   * Returns the content as a stream with backpressure. The stream fails if the content differs from what was stored.
   *
   * @param range default: all of the content
   * @throws ArtifactLost the content turns out to be missing or damaged before its first byte is read
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Lists the files of a run, oldest first. */
  listOfRun(organizationId: string, runId: string): Promise<Artifact[]>;
  /** @returns whether the artifact existed */
  remove(id: string): Promise<boolean>;
  /**
   * Removes artifacts that runs created before an instant, in batches. Artifacts of no run stay.
   *
   * @returns the number of artifacts removed
   */
  removeOfRunsBefore(before: Instant, signal: AbortSignal): Promise<number>;
  /** usage of one organization; without an id, of all organizations */
  usage(organizationId?: string): Promise<Usage>;
  /** Yields all artifacts in batches, oldest first. */
  all(): AsyncIterable<Artifact[]>;
  /**
   * Removes files left behind by writers that died.
   *
   * @returns the number of files removed
   */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** An artifact is refused permanently. The message is a sentence for users. */
export class ArtifactRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ArtifactRefused';
  }
}

/** Artifacts can't be stored or read at the moment (disk full, connection lost). */
export class ArtifactsUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ArtifactsUnavailable';
  }
}

/** The content of an artifact is missing or differs from what was stored. */
export class ArtifactLost extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing or damaged.`, options);
    this.name = 'ArtifactLost';
  }
}
