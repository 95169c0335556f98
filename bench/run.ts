/**
 * `npm run bench [-- name … [--json]]` runs the benchmarks in the folders beside this file and prints one table. With
 * `--json`, it runs only benchmarks that export `measure`, and prints one JSON object with their figures by name.
 */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { printTable, type Row } from './tools/table.ts';

/** The exports of a file. A file that exports `bench` is a benchmark. */
interface Benchmark {
  bench?: () => Promise<Row[]>;
  /** returns the figures, for `--json` */
  measure?: () => Promise<unknown>;
}

const words = process.argv.slice(2);
const json = words.includes('--json');
const wanted = words.filter((word) => word !== '--json');
const rows: Row[] = [];
const figures: Record<string, unknown> = {};
for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).sort()) {
  const { dir, name, ext } = parse(file);
  if (dir === '' || dir === 'tools' || !/^\.[jt]s$/.test(ext)) continue;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { bench, measure } = (await import(`./${file}`)) as Benchmark;
  if (!bench || (json && !measure)) continue;
  console.error(`${name} …`);
  if (json) figures[name] = await measure?.();
  else rows.push(...(await bench()));
}
if (json) console.log(JSON.stringify(figures, null, 2));
else printTable(rows);
