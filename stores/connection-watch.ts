import { explanationOf } from './connection-trouble.ts';

/** Receives troubles with a server, as sentences for operators. */
export interface Told {
  /** The connection was lost, or can't be made. */
  lost: (sentences: string) => void;
  /** The connection is back. */
  restored: () => void;
  /** The server refuses the user, or something that the user asks for. */
  refused: (sentences: string) => void;
}

/** Watches the connections of a process to a server, and reports each trouble once. */
export interface Watch {
  /** Call when something went wrong with a connection. */
  failed: (error: Error) => void;
  /** Call when a server has answered. */
  worked: () => void;
  /** Call when it has refused something. */
  refused: (error: Error) => void;
}

export const UNWATCHED: Watch = {
  failed: () => undefined,
  worked: () => undefined,
  refused: () => undefined,
};

/** Milliseconds before the cause of a trouble is looked up again. */
const LOOK_PAUSE = 5_000;
/** Milliseconds before another cause of the same trouble is reported. */
const CAUSE_PAUSE = 60_000;
/** Milliseconds before the same refusal is reported again. */
const REFUSAL_PAUSE = 3_600_000;

export const createWatch = (tell: Told, clock: () => number = () => performance.now()): Watch => {
  let looking = false;
  let lookedAt = -Infinity;
  let lastAnswer = -Infinity;
  let told: { cause: string; at: number } | null = null;
  const refusals = new Map<string, number>();

  const look = async (error: Error): Promise<void> => {
    const began = clock();
    const cause = await explanationOf(error).catch(() => null);
    lookedAt = clock();
    // If it has answered meanwhile, it was away only for a moment.
    if (cause === null || lastAnswer >= began || cause === told?.cause) return;
    if (told && lookedAt - told.at < CAUSE_PAUSE) return;
    told = { cause, at: lookedAt };
    tell.lost(cause);
  };

  const refused = async (error: Error): Promise<void> => {
    const sentences = (await explanationOf(error)) ?? error.message;
    const before = refusals.get(sentences);
    if (before !== undefined && clock() - before < REFUSAL_PAUSE) return;
    refusals.set(sentences, clock());
    tell.refused(sentences);
  };

  return {
    failed: (error) => {
      if (looking || clock() - lookedAt < LOOK_PAUSE) return;
      looking = true;
      void look(error).finally(() => {
        looking = false;
      });
    },
    worked: () => {
      lastAnswer = clock();
      if (told === null) return;
      told = null;
      tell.restored();
    },
    refused: (error) => void refused(error),
  };
};
