/**
 * Returns a size of a benchmark. An environment variable overrides it, to make the benchmark smaller and faster:
 * `BENCH_PROBES=500 npm run bench -- probes`.
 */
export const sizeOf = (name: string, standard: number): number => {
  const given = process.env[`BENCH_${name}`];
  if (given === undefined) return standard;
  const size = Number(given);
  if (!Number.isInteger(size) || size < 1) throw new Error(`BENCH_${name} must be a whole number above 0.`);
  return size;
};
