import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import type { CardFont, CardWeight } from './fitting.ts';

const require = createRequire(import.meta.url);

const FILES: Readonly<Record<CardWeight, string>> = {
  regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
};

/** The family of both files. */
export const CARD_FAMILY = 'Noto Sans';

/** The files of the fonts that cards are written in. */
export const cardFontFiles = (): Uint8Array[] => Object.values(FILES).map((file) => readFileSync(file));

/** The font that a document writes in, as fontkit has opened it. */
interface Writing {
  _font: { font: { hasGlyphForCodePoint: (codePoint: number) => boolean } };
}

/** Measures texts of cards. */
export const openCardFont = (): CardFont => {
  // A document that is never written: pdfkit measures with the same font files.
  const document = new PDFDocument({ font: FILES.regular });
  const { font } = (document as unknown as Writing)._font;
  return {
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, size, weight) => document.font(FILES[weight]).fontSize(size).widthOfString(text),
  };
};
