/** `npm run bench [-- name …]`: runs the benchmarks of this folder and prints one table. */
import { readdirSync } from 'node:fs';
import { printTable, type Row } from './table.ts';

/** A file of this folder that exports `bench` is a benchmark. */
interface Benchmark {
  bench?: () => Promise<Row[]>;
}

const wanted = process.argv.slice(2);
const rows: Row[] = [];
for (const file of readdirSync(import.meta.dirname).sort()) {
  const name = file.replace(/\.[jt]s$/, '');
  if (name === 'run' || name === 'table' || name === file || (wanted.length > 0 && !wanted.includes(name))) continue;
  const { bench } = (await import(`./${file}`)) as Benchmark;
  if (!bench) continue;
  console.error(`${name} …`);
  rows.push(...(await bench()));
}
printTable(rows);
