import type { Output } from '../../service/output.ts';

/** Returns an output that collects its lines. */
export const collectLines = (): Output & { lines: string[] } => {
  const lines: string[] = [];
  return { lines, terminal: false, line: async (text) => void lines.push(text) };
};
