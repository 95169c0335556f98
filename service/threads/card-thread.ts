import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { fittedCard } from '../../messages/cards/fit-card.ts';
import { CARD_FAMILY, cardFontFiles, openCardFont } from '../../messages/cards/font.ts';
import { cardSvg } from '../../views/pictures/card.tsx';
import type { CardDrawn, CardToDraw } from './card-drawing.ts';

// The thread that draws cards. It receives the content of cards and responds with their pictures, one after another.

const port = parentPort;
if (!port) throw new Error('card-thread.ts runs as a worker thread.');

const require = createRequire(import.meta.url);
await initWasm(await readFile(require.resolve('@resvg/resvg-wasm/index_bg.wasm')));
const font = openCardFont();
const files = cardFontFiles();

const draw = ({ card }: CardToDraw): Uint8Array => {
  const svg = cardSvg(fittedCard(card, font), CARD_FAMILY);
  const resvg = new Resvg(svg, { font: { fontBuffers: files, defaultFontFamily: CARD_FAMILY } });
  try {
    const image = resvg.render();
    // The copy is necessary because the buffer of the image belongs to the module.
    const png = new Uint8Array(image.asPng());
    image.free();
    return png;
  } finally {
    resvg.free();
  }
};

port.on('message', (request: CardToDraw) => {
  const drawn: CardDrawn = { number: request.number, png: draw(request) };
  port.postMessage(drawn);
});
