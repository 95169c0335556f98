import type { Draw } from './table.ts';
import { COLORS, CONTENT_WIDTH, PAGE, type Sheet } from './sheet.ts';

/** Minimum uptimes in percent that count as good and as fair, if there is no target. */
const GOOD = 99.9;
const FAIR = 99;

/** Returns the colour of an uptime. If there is a target, the colour shows whether the target was met. */
export const uptimeColor = (uptime: number | null, target: number | null): string => {
  if (uptime === null) return COLORS.none;
  if (target !== null) return uptime >= target ? COLORS.good : COLORS.bad;
  return uptime >= GOOD ? COLORS.good : uptime >= FAIR ? COLORS.fair : COLORS.bad;
};

/** Returns a function that draws a table cell with one colour for the uptime of each day. */
export const strip =
  (sheet: Sheet, uptimes: readonly (number | null)[], target: number | null): Draw =>
  (x, y, width, height) => {
    const step = width / uptimes.length;
    const gap = step > 3 ? 0.8 : 0;
    // Adjacent days of the same colour are drawn as one rectangle. Otherwise a report on a hundred checks for half a
    // year would contain twenty thousand rectangles.
    for (let first = 0; first < uptimes.length;) {
      const color = uptimeColor(uptimes[first] ?? null, target);
      let next = first + 1;
      while (gap === 0 && next < uptimes.length && uptimeColor(uptimes[next] ?? null, target) === color) next++;
      sheet.document.rect(x + first * step, y, (next - first) * step - gap, height).fill(color);
      first = next;
    }
  };

export interface Bars {
  title: string;
  days: readonly string[];
  values: readonly (number | null)[];
  /** a second figure for each day, drawn as a line */
  line?: readonly (number | null)[];
  /** whether a value of zero gets a visible bar: true for uptimes, false for numbers of incidents */
  marksZero: boolean;
  /** the values at the bottom and the top of the chart */
  from: number;
  to: number;
  /** formats a value */
  label: (value: number) => string;
  color: (value: number) => string;
}

const HEIGHT = 90;
const AXIS = 46;

/** Draws a bar chart with one bar for each day, and its axes. */
export const bars = (sheet: Sheet, chart: Bars): void => {
  const { days, values, from, to, label } = chart;
  sheet.need(HEIGHT + 44);
  sheet.line(chart.title, PAGE.margin, sheet.y, CONTENT_WIDTH, { weight: 'bold', size: 10 });
  const top = sheet.y + 20;
  const bottom = top + HEIGHT;
  const left = PAGE.margin + AXIS;
  const width = CONTENT_WIDTH - AXIS;
  const heightOf = (value: number): number => (HEIGHT * Math.min(Math.max(value - from, 0), to - from)) / (to - from);
  for (const value of [from, (from + to) / 2, to]) {
    const y = bottom - heightOf(value);
    sheet.document
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.5)
      .stroke(COLORS.line);
    sheet.line(label(value), PAGE.margin, y - 5, AXIS - 6, { size: 7, color: COLORS.muted, align: 'right' });
  }
  const step = width / Math.max(1, days.length);
  const thick = Math.max(0.6, Math.min(step * 0.8, 24));
  for (const [index, value] of values.entries()) {
    const x = left + index * step + (step - thick) / 2;
    if (value === null) sheet.document.rect(x, bottom - 2, thick, 2).fill(COLORS.none);
    else if (value > 0 || chart.marksZero) {
      // A bar without height would look like missing data.
      const height = Math.max(1, heightOf(value));
      sheet.document.rect(x, bottom - height, thick, height).fill(chart.color(value));
    }
  }
  if (chart.line)
    lineOver(sheet, chart.line, (index, value) => [left + (index + 0.5) * step, bottom - heightOf(value)]);
  labelDays(sheet, days, { left, step, y: bottom + 4 });
  sheet.y = bottom + 24;
};

const lineOver = (
  sheet: Sheet,
  values: readonly (number | null)[],
  place: (index: number, value: number) => [number, number],
): void => {
  let drawing = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      drawing = false;
      continue;
    }
    const [x, y] = place(index, value);
    if (drawing) sheet.document.lineTo(x, y);
    else sheet.document.moveTo(x, y);
    drawing = true;
  }
  sheet.document.lineWidth(1).stroke(COLORS.accent);
};

const LABEL = 52;

/** Labels as many days as there is room for. The first day is always labelled. */
const labelDays = (
  sheet: Sheet,
  days: readonly string[],
  { left, step, y }: { left: number; step: number; y: number },
): void => {
  const every = Math.max(1, Math.ceil(LABEL / step));
  for (let index = 0; index < days.length; index += every) {
    const x = left + (index + 0.5) * step - LABEL / 2;
    sheet.line(days[index] ?? '', x, y, LABEL, { size: 7, color: COLORS.muted, align: 'center' });
  }
};
