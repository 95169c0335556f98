import type { Readable } from 'node:stream';
import type { Instant } from '../../domain/time.ts';

/** What is said of an artifact before its content is known. */
export interface ArtifactHead {
  /** 1 to 64 of `A-Z a-z 0-9 _ -`, never used twice */
  id: string;
  organization_id: string;
  /** the run that made it; null: none did, as of a report */
  run_id: string | null;
  /** for people; whatever would be anything else than a name in a folder is taken out of it */
  name: string;
  /** `image/png`, `text/html; charset=utf-8` */
  media_type: string;
  created_at: Instant;
}

/** A file that the service has made: a screenshot, a report (design.md: The ports). */
export interface Artifact extends ArtifactHead {
  /** bytes */
  size: number;
  /** of the content, hexadecimal */
  sha256: string;
}

/** Bytes of a content, counted from 0, the last one included. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface Usage {
  files: number;
  bytes: number;
}

/** How much may be kept. */
export interface ArtifactLimits {
  /** files of one run */
  runFiles: number;
  /** bytes of all files of one run; also of a file that no run has made */
  runBytes: number;
  /** bytes of an organization, of which the oldest files go first */
  organizationBytes: number;
}

/** A file that is kept is whole, and is there for all processes; what was cut off while it was stored is nowhere. */
export interface Artifacts {
  /**
   * Stores a file as it comes, at the pace of the store. Where the organization has no room for it, its oldest files
   * give way. One whose id is there already is left as it is, and told as it is.
   *
   * @throws ArtifactRefused
   * @throws ArtifactsUnavailable
   * @throws whatever the content throws; nothing is kept then
   */
  store(head: ArtifactHead, content: AsyncIterable<Uint8Array>): Promise<Artifact>;
  /** null: it was never there, or is gone */
  find(id: string): Promise<Artifact | null>;
  /**
   * The content, at the pace of the reader; it fails where it is not the content that was stored.
   *
   * @param range within the content; all of it where there is none
   * @throws ArtifactLost before the first byte, where it is known by then
   */
  read(id: string, range?: ByteRange): Promise<Readable>;
  /** Oldest first. */
  ofRun(organizationId: string, runId: string): Promise<Artifact[]>;
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>;
  /** Removes what runs have made before an instant, a few at a time. @returns how many */
  removeOfRunsBefore(before: Instant, signal: AbortSignal): Promise<number>;
  /** of an organization, or of all */
  usage(organizationId?: string): Promise<Usage>;
  /** All that there is, oldest first, some at a time. */
  all(): AsyncIterable<Artifact[]>;
  /** Removes what was left by writers that are gone. @returns of how many files */
  sweep(): Promise<number>;
  close(): Promise<void>;
}

/** An artifact can't be kept, for a reason that stays; the message is a sentence for people. */
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

/** The content of an artifact is not there, or is another one than was stored. */
export class ArtifactLost extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(`${what} is missing or damaged.`, options);
    this.name = 'ArtifactLost';
  }
}
