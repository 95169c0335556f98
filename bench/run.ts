/** `npm run bench [-- name …]`: runs the benchmarks in the folders beside this file and prints one table. */
import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { printTable, type Row } from './tools/table.ts';

/** A file that exports `bench` is a benchmark. */
interface Benchmark {
  bench?: () => Promise<Row[]>;
}

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).sort()) {
  const { dir, name, ext } = parse(file);
  if (dir === '' || dir === 'tools' || !/^\.[jt]s$/.test(ext)) continue;
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const { bench } = (await import(`./${file}`)) as Benchmark;
  if (!bench) continue;
  console.error(`${name} …`);
  rows.push(...(await bench()));
}
printTable(rows);
