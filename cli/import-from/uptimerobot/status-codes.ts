import { isRow, type Row } from '../rows.ts';

/** Codes that UptimeRobot accepts by default. */
const [FIRST_USUAL, LAST_USUAL] = [200, 399];

/**
 * Returns the codes and ranges that a monitor accepts; null for the usual ones. `custom_http_statuses` names codes that
 * are up (`404:1`) or down (`301:0`) besides the usual ones. Version 3 of the API names all accepted codes.
 */
export const statusCodesOf = (row: Row): (number | string)[] | null => {
  const listed = textsOf(row['successHttpResponseCodes']).flatMap(codesIn);
  if (listed.length > 0) return rangesOf(new Set(listed));
  const { up, down } = customCodes(row['custom_http_statuses']);
  const accepted = new Set([...between(FIRST_USUAL, LAST_USUAL), ...up]);
  const refused = down.filter((code) => accepted.delete(code));
  return up.length > 0 || refused.length > 0 ? rangesOf(accepted) : null;
};

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const customCodes = (custom: unknown): { up: number[]; down: number[] } => {
  if (isRow(custom)) {
    return { up: textsOf(custom['up']).flatMap(codesIn), down: textsOf(custom['down']).flatMap(codesIn) };
  }
  const entries = typeof custom === 'string' ? custom.split('_') : [];
  const ending = (mark: string): number[] =>
    entries.flatMap((entry) => (entry.trim().endsWith(mark) ? codesIn(entry.trim().slice(0, -mark.length)) : []));
  return { up: ending(':1'), down: ending(':0') };
};

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** Returns a code, the codes of a range (`200-299`), or those of a class (`2xx`). */
const codesIn = (code: string): number[] => {
  const [, from, to, group] = /^(?:([1-9]\d\d)(?:\s*-\s*([1-9]\d\d))?|([1-9])xx)$/i.exec(code.trim()) ?? [];
  if (from !== undefined) return Number(to ?? from) < Number(from) ? [] : between(Number(from), Number(to ?? from));
  return group === undefined ? [] : between(Number(group) * 100, Number(group) * 100 + 99);
};

/** The first code that no check can accept. */
const FIRST_IMPOSSIBLE = 600;

/** Joins successive codes to ranges. A range contains either codes that a check can accept, or others. */
const rangesOf = (codes: ReadonlySet<number>): (number | string)[] => {
  const ranges: { from: number; to: number }[] = [];
  for (const code of [...codes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === code - 1 && code !== FIRST_IMPOSSIBLE) last.to = code;
    else ranges.push({ from: code, to: code });
  }
  return ranges.map(({ from, to }) => (from === to ? from : `${from}-${to}`));
};
