import type { RunCache } from '../../probes/engine/run-cache.ts';
import type { FromMemory, ToMemory } from './messages.ts';

/** Makes the cache in the parent process available to a probe process. */
export interface MemoryService {
  receive: (message: ToMemory) => void;
  /** Called when the probe process has ended. Withdraws the requests of that process for exclusive access. */
  end: () => void;
}

/** @param send sends a message to the process */
export const serveMemory = (memory: RunCache, send: (message: FromMemory) => void): MemoryService => {
  const turns = new Map<number, AbortController>();

  const grantAccess = async (id: number, key: string, pauseMs: number): Promise<void> => {
    const leaving = new AbortController();
    turns.set(id, leaving);
    try {
      await memory.waitForSlot(key, pauseMs, leaving.signal);
      send({ answered: id });
    } catch {
      // The process has withdrawn its request, so no caller waits for a response.
    } finally {
      turns.delete(id);
    }
  };

  return {
    receive: (message) => {
      if ('remember' in message) memory.set(message.remember, message.value, message.seconds);
      else if ('leave' in message) turns.get(message.leave)?.abort();
      else if ('turn' in message) void grantAccess(message.id, message.turn, message.pauseMs);
      else
        void memory.get(message.recall).then((value) => {
          send({ answered: message.id, value });
        });
    },
    end: () => {
      for (const leaving of turns.values()) leaving.abort();
    },
  };
};
