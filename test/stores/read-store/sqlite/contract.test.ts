import { openSqliteReadStore } from '../../../../stores/read-store/sqlite/open.ts';
import { openThreadedReadStore } from '../../../../stores/read-store/sqlite/threaded.ts';
import type { ReadStore } from '../../../../stores/read-store/port.ts';
import { readStoreContract, type OpenedReadStore } from '../../../contracts/read-store.ts';
import { temporaryDirectory } from '../../temporary.ts';

const opened = (combine: (directory: string, writer: ReadStore) => Partial<OpenedReadStore>) => async () => {
  const { directory, remove } = temporaryDirectory();
  const again = async () => openSqliteReadStore({ directory, mode: 'writer' });
  const writer = await again();
  const combined = { store: writer, again, ...combine(directory, writer) };
  return {
    ...combined,
    dispose: async () => {
      await writer.close();
      await combined.store.close();
      remove();
    },
  };
};

readStoreContract(
  'SQLite',
  opened((directory) => ({ reader: async () => openSqliteReadStore({ directory, mode: 'reader' }) })),
  { durable: true },
);

readStoreContract(
  'SQLite with lists read by a thread',
  opened((directory, writer) => {
    const threaded = openThreadedReadStore({ directory });
    const store: ReadStore = {
      ...writer,
      get: (...given) => threaded.get(...given),
      find: (...given) => threaded.find(...given),
      count: (...given) => threaded.count(...given),
      close: () => threaded.close(),
    };
    return { store, reader: async () => openThreadedReadStore({ directory }) };
  }),
  { durable: true },
);
