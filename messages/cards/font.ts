import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import type { CardFont, CardWeight } from './fit-card.ts';

const require = createRequire(import.meta.url);

const FILES: Readonly<Record<CardWeight, string>> = {
  regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
};

/** The font family to which all files in `FILES` belong. */
export const CARD_FAMILY = 'Noto Sans';

/** Returns the contents of the font files for cards. */
export const cardFontFiles = (): Uint8Array[] => Object.values(FILES).map((file) => readFileSync(file));

/** The part of a PDFKit document that contains its current font, as opened by fontkit. */
interface Writing {
  _font: { font: { hasGlyphForCodePoint: (codePoint: number) => boolean } };
}

/** Opens the font that measures card texts. */
export const openCardFont = (): CardFont => {
  // This PDF document is never output. It serves only to measure texts with the font files of cards.
  const document = new PDFDocument({ font: FILES.regular });
  const { font } = (document as unknown as Writing)._font;
  return {
    has: (codePoint) => font.hasGlyphForCodePoint(codePoint),
    widthOf: (text, size, weight) => document.font(FILES[weight]).fontSize(size).widthOfString(text),
  };
};
