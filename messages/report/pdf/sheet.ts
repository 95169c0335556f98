import { createRequire } from 'node:module';
import PDFDocument from 'pdfkit';
import { clean, oneLine, shortened } from '../../characters.ts';
import { transliterate } from './transliterate.ts';
import { breakLines } from './line-breaking.ts';

const require = createRequire(import.meta.url);
const FONTS = {
  regular: require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: require.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
};

export type Weight = keyof typeof FONTS;

/** Dimensions of an A4 page, in points. */
export const PAGE = { width: 595.28, height: 841.89, margin: 44, foot: 40 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;

export const COLORS = {
  text: '#1f2733',
  muted: '#667085',
  line: '#d9dee6',
  head: '#f3f5f8',
  good: '#2f9e5b',
  fair: '#e0a100',
  bad: '#d64545',
  none: '#d9dee6',
  accent: '#2b5fb8',
} as const;

/** Maximum number of characters in a single-line text. */
const LONGEST_LINE = 500;

export interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
  align?: 'left' | 'right' | 'center';
}

/** The part of a PDFKit document that contains its current font, as opened by fontkit. */
interface Writing {
  _font: { font: { hasGlyphForCodePoint: (codePoint: number) => boolean } };
}

/** The pages of a document, written from top to bottom. */
export interface Sheet {
  document: PDFKit.PDFDocument;
  /** current vertical position, in points from the top of the page */
  y: number;
  /** Starts a new page if less than `height` is left on the current one. @returns whether a new page was started */
  need: (height: number) => boolean;
  /** Writes one line. Text wider than `width` is truncated with an ellipsis. */
  line: (text: string, x: number, y: number, width: number, style?: Style) => void;
  /** Breaks a text, without its line breaks, into lines of at most `width`. */
  linesOf: (text: string, width: number, style?: Style) => string[];
  /** Writes text across as many lines and pages as it needs, and advances `y`. */
  prose: (text: string, style?: Style & { indent?: number; gap?: number }) => void;
  space: (height: number) => void;
  /** Finishes the document and returns the file. */
  done: () => Promise<Uint8Array>;
}

export interface SheetOptions {
  title: string;
  /** creation time. Two documents with the same content differ only in this value */
  made: Date;
  /** line of text at the foot of each page, next to the page number */
  foot: string;
  /** whether the content is compressed; default: true. Compressed bytes depend on the version of Node.js */
  compress?: boolean;
}

/** Creates an empty document. */
export const openSheet = ({ title, made, foot, compress = true }: SheetOptions): Sheet => {
  const document = new PDFDocument({
    size: 'A4',
    // All content is positioned explicitly. With a margin, PDFKit would start new pages by itself.
    margin: 0,
    bufferPages: true,
    compress,
    info: { Title: title, Producer: 'Uptrail', Creator: 'Uptrail', CreationDate: made, ModDate: made },
    lang: 'en',
    font: FONTS.regular,
  });
  const chunks: Uint8Array[] = [];
  const ended = new Promise<Uint8Array>((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('error', reject);
    document.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
  });
  const last = PAGE.height - PAGE.margin - PAGE.foot;

  const styled = ({ size = 9, weight = 'regular', color = COLORS.text }: Style): void => {
    // Fonts are set by path. If a font were set by a registered name, PDFKit would read the font file again after every
    // change of font.
    document.font(FONTS[weight]).fontSize(size).fillColor(color);
  };

  const { font } = (document as unknown as Writing)._font;
  /** Replaces characters that the fonts do not contain. Both fonts contain the same characters. */
  const written = (text: string): string => transliterate(text, (codePoint) => font.hasGlyphForCodePoint(codePoint));

  /** Returns the longest beginning of a text that fits into `width`. */
  const fitting = (text: string, width: number): string => {
    if (document.widthOfString(text) <= width) return text;
    let [fits, tooMany] = [0, text.length];
    while (tooMany - fits > 1) {
      const middle = Math.floor((fits + tooMany) / 2);
      if (document.widthOfString(shortened(text, middle)) <= width) fits = middle;
      else tooMany = middle;
    }
    return shortened(text, fits);
  };

  const sheet: Sheet = {
    document,
    y: PAGE.margin,
    need: (height) => {
      if (sheet.y + height <= last) return false;
      document.addPage();
      sheet.y = PAGE.margin;
      return true;
    },
    line: (text, x, y, width, style = {}) => {
      styled(style);
      const shown = fitting(written(oneLine(text, LONGEST_LINE)), width);
      const { align = 'left' } = style;
      const left = width - document.widthOfString(shown);
      const offset = align === 'left' ? 0 : align === 'right' ? left : left / 2;
      document.text(shown, x + offset, y, { lineBreak: false });
    },
    linesOf: (text, width, style = {}) => {
      styled(style);
      return breakLines(written(oneLine(text, LONGEST_LINE)), width, (piece) => document.widthOfString(piece));
    },
    prose: (text, { indent = 0, gap = 4, ...style } = {}) => {
      const width = CONTENT_WIDTH - indent;
      styled(style);
      const lineHeight = document.currentLineHeight(true) + 1;
      for (const part of breakLines(written(clean(text)), width, (piece) => document.widthOfString(piece))) {
        sheet.need(lineHeight);
        styled(style);
        if (part !== '') document.text(part, PAGE.margin + indent, sheet.y, { lineBreak: false });
        sheet.y += lineHeight;
      }
      sheet.y += gap;
    },
    space: (height) => {
      sheet.y += height;
    },
    done: () => {
      const { start, count } = document.bufferedPageRange();
      for (let page = start; page < start + count; page++) {
        document.switchToPage(page);
        const y = PAGE.height - PAGE.margin - 8;
        const style = { size: 7.5, color: COLORS.muted };
        sheet.line(foot, PAGE.margin, y, CONTENT_WIDTH - 80, style);
        const number = `${page + 1} / ${count}`;
        sheet.line(number, PAGE.width - PAGE.margin - 70, y, 70, { ...style, align: 'right' });
      }
      document.end();
      return ended;
    },
  };
  return sheet;
};
