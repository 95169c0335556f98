import type { PageTemplate } from '../../domain/page/templates.ts';

const COLOURS = {
  background: '#ffffff',
  subtle: '#f6f7f9',
  line: '#e3e6ea',
  text: '#14181f',
  muted: '#9aa5b1',
  good: '#16935a',
  goodTint: '#e8f6ee',
  partial: '#c04a08',
  partialTint: '#fdeddf',
} as const;
type Fill = keyof typeof COLOURS;

const WIDTH = 320;
const HEIGHT = 200;

/** Returns a rectangle, which may represent a line of text. All lengths are in units of the picture. */
const box = (x: number, y: number, width: number, height: number, fill: Fill, radius = 0): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${COLOURS[fill]}"/>`;

const dot = (x: number, y: number, radius: number, fill: Fill): string =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${COLOURS[fill]}"/>`;

const many = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** Returns the header of a page: a logo, a name and a button. */
const header = (x: number, width: number): string =>
  [dot(x + 6, 18, 6, 'text'), box(x + 18, 15, 44, 6, 'text', 3), box(x + width - 40, 12, 40, 12, 'line', 6)].join('');

/** Returns the bars of a component, one per day. @param bad index of the day with an outage; null: none */
const bars = (x: number, y: number, bad: number | null): string =>
  many(30, (day) => box(x + day * 5, y, 3, 12, day === bad ? 'partial' : 'good', 1));

const drawDefault = (): string =>
  [
    header(40, 240),
    box(40, 34, 240, 26, 'goodTint', 6),
    dot(54, 47, 5, 'good'),
    box(66, 44, 100, 6, 'text', 3),
    many(3, (row) => {
      const y = 72 + row * 26;
      return [
        box(40, y + 3, 46, 6, 'text', 3),
        bars(98, y, row === 1 ? 21 : null),
        box(256, y + 3, 24, 6, 'good', 3),
        box(40, y + 18, 240, 1, 'line'),
      ].join('');
    }),
    many(2, (row) => box(40, 156 + row * 14, row === 0 ? 90 : 200, 6, row === 0 ? 'text' : 'muted', 3)),
    box(40, 184, 160, 6, 'muted', 3),
  ].join('');

const drawCompact = (): string =>
  [
    header(16, 288),
    box(16, 32, 288, 16, 'partialTint', 4),
    dot(26, 40, 4, 'partial'),
    box(36, 37, 90, 6, 'text', 3),
    many(3, (group) => {
      const y = 56 + group * 46;
      return [
        box(16, y, 288, 11, 'subtle', 2),
        box(22, y + 4, 40 + group * 12, 4, 'text', 2),
        dot(297, y + 5.5, 3, group === 1 ? 'partial' : 'good'),
        many(2, (column) =>
          many(2, (row) => {
            const [x, line] = [22 + column * 146, y + 15 + row * 14];
            const isBad = group === 1 && column === 1 && row === 0;
            return [
              box(x, line + 3, 28 + ((group * 7 + row * 11 + column * 5) % 24), 4, 'text', 2),
              box(x + 86, line + 3, 22, 4, 'muted', 2),
              dot(x + 124, line + 5, 3, isBad ? 'partial' : 'good'),
              box(x - 6, line + 12, 144, 1, 'line'),
            ].join('');
          }),
        ),
      ].join('');
    }),
  ].join('');

const drawMinimal = (): string =>
  [
    header(80, 160),
    box(80, 32, 160, 66, 'goodTint', 6),
    dot(160, 52, 12, 'good'),
    `<path d="M154.5 52l4 4 7-8" fill="none" stroke="${COLOURS.background}" stroke-width="2.5"/>`,
    box(110, 72, 100, 8, 'text', 4),
    box(128, 86, 64, 4, 'muted', 2),
    many(4, (row) => {
      const y = 112 + row * 20;
      return [
        box(80, y, 40 + ((row * 13) % 26), 6, 'text', 3),
        box(216, y, 24, 6, 'good', 3),
        row < 3 ? box(80, y + 12, 160, 1, 'line') : '',
      ].join('');
    }),
  ].join('');

const DRAWINGS: Readonly<Record<PageTemplate['name'], () => string>> = {
  default: drawDefault,
  compact: drawCompact,
  minimal: drawMinimal,
};

/** Returns a preview of a template, as a self-contained SVG of 320 by 200. */
export const templatePicture = ({ name }: Pick<PageTemplate, 'name'>): string => {
  const size = `width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>The template ${name}</title>`,
    box(0, 0, WIDTH, HEIGHT, 'background'),
    DRAWINGS[name](),
    '</svg>',
  ].join('');
};
