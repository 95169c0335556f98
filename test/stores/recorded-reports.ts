import { createConnectionWatch, type ConnectionWatch } from '../../stores/connection-watch.ts';

/** A watch over the connections to a server, and the lines that it has reported so far. */
export const recordReports = (): { watch: ConnectionWatch; lines: string[] } => {
  const lines: string[] = [];
  const watch = createConnectionWatch({
    lost: (sentences) => lines.push(sentences),
    restored: () => lines.push('restored'),
    refused: (sentences) => lines.push(sentences),
  });
  return { watch, lines };
};
