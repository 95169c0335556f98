import { explanationOf } from './connection-diagnosis.ts';

/** Is notified of problems with a server connection. Each problem is described in sentences for operators. */
export interface TroubleReceiver {
  /** The connection was lost, or can't be made. */
  lost: (sentences: string) => void;
  /** The connection is back. */
  restored: () => void;
  /** The server refuses the user, or an operation of the user. */
  refused: (sentences: string) => void;
}

/** Watches a process's connections to a server, and reports each problem once. */
export interface ConnectionWatch {
  /** Call after an error on a connection. */
  failed: (error: Error) => void;
  /** Call after any response of the server. */
  responded: () => void;
  /** Call after the server has refused an operation. */
  refused: (error: Error) => void;
}

export const UNWATCHED: ConnectionWatch = {
  failed: () => undefined,
  responded: () => undefined,
  refused: () => undefined,
};

/** Minimum time in milliseconds between two diagnoses of a problem. */
const CAUSE_CHECK_PAUSE = 5_000;
/** Minimum time in milliseconds between two reports, if the cause of a continuing problem changes. */
const CAUSE_PAUSE = 60_000;
/** Minimum time in milliseconds before the same refusal is reported again. */
const REFUSAL_PAUSE = 3_600_000;

export const createConnectionWatch = (
  tell: TroubleReceiver,
  clock: () => number = () => performance.now(),
): ConnectionWatch => {
  let looking = false;
  let checkedAt = -Infinity;
  let lastResponse = -Infinity;
  let reported: { cause: string; at: number } | null = null;
  const refusals = new Map<string, number>();

  const look = async (error: Error): Promise<void> => {
    const began = clock();
    const cause = await explanationOf(error).catch(() => null);
    checkedAt = clock();
    // If the server responded during the diagnosis, the failure was only momentary.
    if (cause === null || lastResponse >= began || cause === reported?.cause) return;
    if (reported && checkedAt - reported.at < CAUSE_PAUSE) return;
    reported = { cause, at: checkedAt };
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
      if (looking || clock() - checkedAt < CAUSE_CHECK_PAUSE) return;
      looking = true;
      void look(error).finally(() => {
        looking = false;
      });
    },
    responded: () => {
      lastResponse = clock();
      if (reported === null) return;
      reported = null;
      tell.restored();
    },
    refused: (error) => void refused(error),
  };
};
