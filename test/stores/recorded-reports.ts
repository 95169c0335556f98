import { createConnectionWatch, type ConnectionWatch } from '../../stores/connection-watch.ts';

/** Creates a watch over the connections to a server, and records the lines that it reports. */
export const recordReports = (): { watch: ConnectionWatch; lines: string[] } => {
  const lines: string[] = [];
  const watch = createConnectionWatch({
    lost: (sentences) => lines.push(sentences),
    restored: () => lines.push('restored'),
    refused: (sentences) => lines.push(sentences),
  });
  return { watch, lines };
};
