import { randomUUID } from 'node:crypto';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { STORED } from '../../domain/check/file-references.ts';
import { withReferences } from '../../domain/check/result-files.ts';
import { instantOf } from '../../domain/time.ts';
import type { Clock } from '../../network/clock.ts';
import { ArtifactRefused, ArtifactsUnavailable, type Artifacts } from '../../stores/artifacts/port.ts';
import type { Outcome, OutcomeFile } from '../../probes/engine/check-type.ts';
import type { Staging } from '../../probes/staging.ts';

/** How long a result waits for its files, milliseconds: it must not be late because of them. */
const STORING_MS = 5_000;
/** Characters of the reason why files were not kept. */
const LONGEST_REASON = 500;

/** Whose files they are. */
export interface Owner {
  type: CheckTypeName;
  organizationId: string;
  /** what the files are counted by: a run in a region has one result, and keeps 20 files */
  resultId: string;
}

/** An outcome whose metadata names the files that are stored. */
export interface Kept {
  outcome: Outcome;
  /** ids of the stored ones */
  artifacts: string[];
}

/** What becomes of the files that runs leave. */
export interface ResultFiles {
  /**
   * Stores the files of an outcome. What can't be stored is left out of its metadata, and a sentence there says so.
   * Never rejects. The staged files stay.
   */
  keep: (outcome: Outcome, owner: Owner) => Promise<Kept>;
  /** Removes the staged files of an outcome. Never rejects. */
  discard: (outcome: Pick<Outcome, 'files'>) => Promise<void>;
  /** Removes stored files that no result names. Never rejects: what stays goes with retention. */
  forget: (artifacts: readonly string[]) => Promise<void>;
}

export interface ResultFilesOptions {
  artifacts: Pick<Artifacts, 'store' | 'remove'>;
  staging: Pick<Staging, 'read' | 'discard'>;
  clock: Pick<Clock, 'now' | 'after'>;
  /** A file could not be stored for a reason that is no refusal. */
  trouble?: (error: unknown) => void;
}

export const createResultFiles = ({ artifacts, staging, clock, trouble }: ResultFilesOptions): ResultFiles => {
  const forget = async (ids: readonly string[]): Promise<void> => {
    await Promise.all(ids.map((id) => artifacts.remove(id).catch(() => false)));
  };

  /** @returns its id */
  const store = async (
    file: OutcomeFile,
    { organizationId, resultId }: Owner,
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
      // It may be stored all the same, now or later.
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

  /** @returns ids by references, and why others have none */
  const storeAll = async (files: readonly OutcomeFile[], owner: Owner) => {
    const ids = new Map<string, string>();
    const reasons: string[] = [];
    // Most outcomes have none.
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
    keep: async (outcome, owner) => {
      const { files = [], ...rest } = outcome;
      const { ids, reasons } = await storeAll(files, owner);
      const referring = withReferences(rest.check_metadata, owner.type, (reference) => {
        const id = ids.get(reference);
        return id === undefined ? null : `${STORED}${id}`;
      });
      const check_metadata = reasons.length === 0 ? referring : withNote(referring, notKept(reasons));
      return { outcome: { ...rest, check_metadata }, artifacts: [...ids.values()] };
    },
    discard: ({ files = [] }) => staging.discard(files),
    forget,
  };
};

/** One for all files of a run. */
interface TimeLimit {
  signal: AbortSignal;
  /** rejects with the signal */
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
  // Nobody may be waiting when it is over.
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

/** What a result says of its files that are not kept. */
export const notKept = (reasons: readonly string[]): string => {
  const what = reasons.length === 1 ? 'A file was' : `${reasons.length.toString()} files were`;
  return `${what} not kept: ${(reasons[0] ?? '').slice(0, LONGEST_REASON)}`;
};

export const withNote = (metadata: Record<string, unknown>, note: string): Record<string, unknown> => {
  const { notes } = metadata;
  return { ...metadata, notes: [...(Array.isArray(notes) ? (notes as unknown[]) : []), note] };
};
