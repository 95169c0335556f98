import { explanationOf } from './connection-trouble.ts';

/** Who hears of troubles with a server, in sentences for operators. */
export interface Told {
  /** The connection was lost, or can't be made. */
  lost: (sentences: string) => void;
  /** It is there again. */
  restored: () => void;
  /** The server refuses the user, or something that the user wants. */
  refused: (sentences: string) => void;
}

/** What keeps an eye on the connections of a process to a server, and says once what there is to say. */
export interface Watch {
  /** To be told of what went wrong with a connection. */
  failed: (error: Error) => void;
  /** To be told that a server has answered. */
  worked: () => void;
  /** To be told that it has refused something. */
  refused: (error: Error) => void;
}

export const UNWATCHED: Watch = {
  failed: () => undefined,
  worked: () => undefined,
  refused: () => undefined,
};

/** Milliseconds before it is looked again what is wrong. */
const LOOK_PAUSE = 5_000;
/** Milliseconds before another cause of the same trouble is told. */
const CAUSE_PAUSE = 60_000;
/** Milliseconds before the same refusal is told again. */
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
    // What has answered meanwhile was away for a moment only.
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
