import type { Memory } from '../../probes/engine/run-cache.ts';
import type { FromMemory, ToMemory } from './messages.ts';

/** Serves the parent's memory to a probe process. */
export interface MemoryService {
  hear: (message: ToMemory) => void;
  /** The process has ended: withdraws its requests for exclusive access. */
  end: () => void;
}

/** @param send sends to the process */
export const serveMemory = (memory: Memory, send: (message: FromMemory) => void): MemoryService => {
  const turns = new Map<number, AbortController>();

  const grantAccess = async (id: number, key: string, pauseMs: number): Promise<void> => {
    const leaving = new AbortController();
    turns.set(id, leaving);
    try {
      await memory.turn(key, pauseMs, leaving.signal);
      send({ answered: id });
    } catch {
      // It no longer waits.
    } finally {
      turns.delete(id);
    }
  };

  return {
    hear: (message) => {
      if ('remember' in message) memory.remember(message.remember, message.value, message.seconds);
      else if ('leave' in message) turns.get(message.leave)?.abort();
      else if ('turn' in message) void grantAccess(message.id, message.turn, message.pauseMs);
      else
        void memory.recall(message.recall).then((value) => {
          send({ answered: message.id, value });
        });
    },
    end: () => {
      for (const leaving of turns.values()) leaving.abort();
    },
  };
};
