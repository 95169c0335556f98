import { createWatch, type Watch } from '../../stores/connection-watch.ts';

/** A watch over the connections to a server, and the lines that it has reported so far. */
export const toldLines = (): { watch: Watch; lines: string[] } => {
  const lines: string[] = [];
  const watch = createWatch({
    lost: (sentences) => lines.push(sentences),
    restored: () => lines.push('restored'),
    refused: (sentences) => lines.push(sentences),
  });
  return { watch, lines };
};
