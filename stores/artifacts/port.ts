import type { Readable } from 'node:stream';
import type { Instant } from '../../domain/time.ts';

/** What is known about an artifact before its content is. */
export interface ArtifactHead {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, never used twice */
  id: string;
  organization_id: string;
  /** the run that made it, by the id of its result; null when no run did, as with a report */
  run_id: string | null;
  /** for people; anything that a file name must not contain is removed */
  name: string;
  /** `image/png`, `text/html; charset=utf-8` */
  media_type: string;
  created_at: Instant;
}

/** A file that the service has made: a screenshot, a report (design.md: The ports). */
export interface Artifact extends ArtifactHead {
  /** bytes */
  size: number;
  /** hash of the content, hexadecimal */
  sha256: string;
}

/** A range of bytes, counted from 0, the last one included. */
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

/** A stored file is complete and visible to all processes; one that was cut off while being stored does not exist. */
export interface Artifacts {
  /**
   * Stores a file as it arrives, at the pace of the store. When the organization has no room for it, its oldest files
   * are removed. A file whose id exists already is left as it is and returned.
   *
   * @throws ArtifactRefused
   * @throws ArtifactsUnavailable
   * @throws whatever the content throws; nothing is stored then
   */
  store(head: ArtifactHead, content: AsyncIterable<Uint8Array>): Promise<Artifact>;
  /** null: it never existed, or was removed */
  find(id: string): Promise<Artifact | null>;
  /**
   * The content, at the pace of the reader. Reading fails when it is not the content that was stored.
   *
   * @param range within the content; all of it when absent
   * @throws ArtifactLost before the first byte, if it is known by then
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Oldest first. */
  ofRun(organizationId: string, runId: string): Promise<Artifact[]>;
  /** @returns whether it existed */
  remove(id: string): Promise<boolean>;
  /** Removes what runs made before an instant, a few at a time. @returns how many */
  removeOfRunsBefore(before: Instant, signal: AbortSignal): Promise<number>;
  /** of one organization, or of all */
  usage(organizationId?: string): Promise<Usage>;
  /** All artifacts, oldest first, some at a time. */
  all(): AsyncIterable<Artifact[]>;
  /** Removes what dead writers left behind. @returns of how many files */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** An artifact can't be stored, for a permanent reason; the message is a sentence for people. */
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
