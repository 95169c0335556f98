import { join } from 'node:path';
import type { EventStore } from '../../../../stores/event-store/port.ts';
import { openSqliteEventStore } from '../../../../stores/event-store/sqlite/open.ts';
import type { OpenedEventStore } from '../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../temporary.ts';

/** Opens a new log in a new file. `dispose` closes all connections to the log. */
export const openTemporary = async (open: (file: string) => Promise<EventStore>): Promise<OpenedEventStore> => {
  const { directory, remove } = temporaryDirectory();
  const file = join(directory, 'events.db');
  const openings: EventStore[] = [];
  const again = async (): Promise<EventStore> => {
    const store = await open(file);
    openings.push(store);
    return store;
  };
  return {
    store: await again(),
    again,
    dispose: async () => {
      for (const store of openings) await store.close();
      remove();
    },
  };
};

export const openService = (file: string): Promise<EventStore> =>
  openSqliteEventStore({ file, name: 'main', mode: 'service' });

/**
 * Opens a log as a command does while a service is running: one connection for appends, and another connection for
 * reads.
 */
export const openAppenderAndReader = async (file: string): Promise<EventStore> => {
  const appender = await openSqliteEventStore({ file, name: 'main', mode: 'appender' });
  const reader = await openSqliteEventStore({ file, name: 'main', mode: 'reader' });
  return {
    ...reader,
    append: (...input) => appender.append(...input),
    health: () => appender.health(),
    close: async () => {
      await appender.close();
      await reader.close();
    },
  };
};
