import type { Memory } from '../../probes/engine/memory.ts';
import type { FromMemory, ToMemory } from './messages.ts';

/** Serves the parent's memory to a probe process. */
export interface MemoryService {
  hear: (asked: ToMemory) => void;
  /** The process has ended: withdraws its requests for exclusive access. */
  end: () => void;
}

/** @param say sends to the process */
export const serveMemory = (memory: Memory, say: (answer: FromMemory) => void): MemoryService => {
  const turns = new Map<number, AbortController>();

  const takeTurn = async (id: number, key: string, pauseMs: number): Promise<void> => {
    const leaving = new AbortController();
    turns.set(id, leaving);
    try {
      await memory.turn(key, pauseMs, leaving.signal);
      say({ answered: id });
    } catch {
      // It no longer waits.
    } finally {
      turns.delete(id);
    }
  };

  return {
    hear: (asked) => {
      if ('remember' in asked) memory.remember(asked.remember, asked.value, asked.seconds);
      else if ('leave' in asked) turns.get(asked.leave)?.abort();
      else if ('turn' in asked) void takeTurn(asked.id, asked.turn, asked.pauseMs);
      else
        void memory.recall(asked.recall).then((value) => {
          say({ answered: asked.id, value });
        });
    },
    end: () => {
      for (const leaving of turns.values()) leaving.abort();
    },
  };
};
