import { randomUUID } from 'node:crypto';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { STORED } from '../../domain/check/file-references.ts';
import { withReferences } from '../../domain/check/result-files.ts';
import { instantOf } from '../../domain/time.ts';
import type { Clock } from '../../network/clock.ts';
import { ArtifactRefused, ArtifactsUnavailable, type Artifacts } from '../../stores/artifacts/port.ts';
import type { Outcome, OutcomeFile } from '../../probes/engine/check-type.ts';
import type { Staging } from '../../probes/staging.ts';

/**
 * How long a result waits until its files are stored, in milliseconds. The limit ensures that the result is not late
 * because of its files.
 */
const STORING_MS = 5_000;
/** Maximum number of characters in the reason why files were not stored. */
const LONGEST_REASON = 500;

/** The run that files belong to. */
export interface FileOwner {
  type: CheckTypeName;
  organizationId: string;
  /** id of the result; its files are counted by this id, and at most 20 of them are stored */
  resultId: string;
}

/** An outcome whose metadata refers to the stored files. */
export interface StoredOutcome {
  outcome: Outcome;
  /** ids of the stored files */
  artifacts: string[];
}

/** Stores and discards the files of runs. */
export interface ResultFiles {
  /**
   * Stores the files of an outcome. If a file cannot be stored, its reference is removed from the metadata, and a note
   * is added to the metadata. Never rejects. The staged files are not removed.
   */
  store: (outcome: Outcome, owner: FileOwner) => Promise<StoredOutcome>;
  /** Removes the staged files of an outcome. Never rejects. */
  discard: (outcome: Pick<Outcome, 'files'>) => Promise<void>;
  /**
   * Removes stored files that no result refers to. Never rejects: files that cannot be removed now are removed by
   * retention.
   */
  remove: (artifacts: readonly string[]) => Promise<void>;
}

export interface ResultFilesOptions {
  artifacts: Pick<Artifacts, 'store' | 'remove'>;
  staging: Pick<Staging, 'read' | 'discard'>;
  clock: Pick<Clock, 'now' | 'after'>;
  /** Called if a file could not be stored for a reason other than a limit. */
  trouble?: (error: unknown) => void;
}

export const createResultFiles = ({ artifacts, staging, clock, trouble }: ResultFilesOptions): ResultFiles => {
  const forget = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(ids.map((id) => artifacts.remove(id).catch(() => false)));
  };

  /** Stores a file. @returns its artifact id */
  const store = async (
    file: OutcomeFile,
    { organizationId, resultId }: FileOwner,
    { signal, late }: TimeLimit,
  ): Promise<string> => {
    const head = {
      id: randomUUID(),
      organization_id: organizationId,
      run_id: resultId,
      name: file.name,
      media_type: file.media_type,
      created_at: instantOf(clock.now()),
    };
    const storing = artifacts.store(head, whileWanted(staging.read(file), signal));
    try {
      return (await Promise.race([storing, late])).id;
    } catch (error) {
      // The file may be stored despite this error, now or later. Remove it as soon as it is stored.
      void storing.then(
        () => forget([head.id]),
        () => undefined,
      );
      throw error;
    }
  };

  const reasonOf = (error: unknown): string => {
    if (error instanceof ArtifactRefused || error instanceof TooLate) return error.message;
    trouble?.(error);
    return error instanceof ArtifactsUnavailable ? error.message : 'They could not be read.';
  };

  /** Stores files. @returns the artifact ids by reference, and the reasons why the other files were not stored */
  const storeAll = async (files: readonly OutcomeFile[], owner: FileOwner) => {
    const ids = new Map<string, string>();
    const reasons: string[] = [];
    // Most outcomes have no files.
    if (files.length === 0) return { ids, reasons };
    const limit = timeLimit();
    const cancel = clock.after(STORING_MS, limit.end);
    for (const file of files) {
      try {
        ids.set(file.reference, await store(file, owner, limit));
      } catch (error) {
        reasons.push(reasonOf(error));
      }
    }
    cancel();
    return { ids, reasons };
  };

  return {
    store: async (outcome, owner) => {
      const { files = [], ...rest } = outcome;
      const { ids, reasons } = await storeAll(files, owner);
      const referring = withReferences(rest.check_metadata, owner.type, (reference) => {
        const id = ids.get(reference);
        return id === undefined ? null : `${STORED}${id}`;
      });
      const check_metadata = reasons.length === 0 ? referring : withNote(referring, notStoredNote(reasons));
      return { outcome: { ...rest, check_metadata }, artifacts: [...ids.values()] };
    },
    discard: ({ files = [] }) => staging.discard(files),
    remove: forget,
  };
};

/** A common time limit for all files of a run. */
interface TimeLimit {
  signal: AbortSignal;
  /** rejects when `signal` is aborted */
  late: Promise<never>;
  end: () => void;
}

const timeLimit = (): TimeLimit => {
  const ending = new AbortController();
  const late = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => {
      reject(new TooLate());
    });
  });
  // Prevents an unhandled rejection if nothing awaits `late` when it rejects.
  late.catch(() => undefined);
  return {
    signal: ending.signal,
    late,
    end: () => {
      ending.abort();
    },
  };
};

class TooLate extends Error {
  constructor() {
    super('Storing them took too long.');
    this.name = 'TooLate';
  }
}

async function* whileWanted(
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of content) {
    if (signal.aborted) throw new TooLate();
    yield chunk;
  }
}

/** Returns the note in a result about files that were not stored. */
export const notStoredNote = (reasons: readonly string[]): string => {
  const what = reasons.length === 1 ? 'A file was' : `${reasons.length} files were`;
  return `${what} not stored: ${(reasons[0] ?? '').slice(0, LONGEST_REASON)}`;
};

export const withNote = (metadata: Record<string, unknown>, note: string): Record<string, unknown> => {
  const { notes } = metadata;
  return { ...metadata, notes: [...(Array.isArray(notes) ? (notes as unknown[]) : []), note] };
};
