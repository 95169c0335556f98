import type { Output } from '../../service/output.ts';

/** An output that collects its lines, for tests. */
export const keptLines = (): Output & { lines: string[] } => {
  const lines: string[] = [];
  return { lines, terminal: false, line: async (text) => void lines.push(text) };
};
