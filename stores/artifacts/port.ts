import type { Readable } from 'node:stream';
import type { Instant } from '../../domain/time.ts';

/** An artifact's metadata, known before its content. */
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

/** A range of bytes, counted from 0, including the last one. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface Usage {
  files: number;
  bytes: number;
}

/** How much may be stored. */
export interface ArtifactLimits {
  /** files per run */
  runFiles: number;
  /** bytes of all files of one run; also the limit of a file that belongs to no run */
  runBytes: number;
  /** bytes per organization; the oldest files are removed first */
  organizationBytes: number;
}

/**
 * Store for artifacts. A stored file is complete and visible to all processes; an interrupted upload leaves no file.
 */
export interface Artifacts {
  /**
   * Stores a file while it arrives, at the pace of the store. If the organization has no room for it, its oldest files
   * are removed. If the id exists already, the stored file stays unchanged and is returned.
   *
   * @throws ArtifactRefused
   * @throws ArtifactsUnavailable
   * @throws any error of `content`; nothing is stored then
   */
  store(head: ArtifactHead, content: AsyncIterable<Uint8Array>): Promise<Artifact>;
  /** null if it never existed or was removed */
  find(id: string): Promise<Artifact | null>;
  /**
   * The content, at the pace of the reader. Reading fails if the content differs from what was stored.
   *
   * @param range within the content; default: all of it
   * @throws ArtifactLost before the first byte, if the loss is known by then
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Oldest first. */
  listOfRun(organizationId: string, runId: string): Promise<Artifact[]>;
  /** @returns whether it existed */
  remove(id: string): Promise<boolean>;
  /** Removes artifacts that runs created before an instant, in batches. @returns how many */
  removeOfRunsBefore(before: Instant, signal: AbortSignal): Promise<number>;
  /** usage of one organization, or of all */
  usage(organizationId?: string): Promise<Usage>;
  /** All artifacts in batches, oldest first. */
  all(): AsyncIterable<Artifact[]>;
  /** Removes files that dead writers left behind. @returns how many */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** An artifact is refused for a permanent reason. The message is a sentence for users. */
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
