/**
 * How much a benchmark measures: an environment variable that begins with `BENCH_`, such as
 * `BENCH_PROBES=500 npm run bench -- probes`, for a look that takes less time.
 */
export const sizeOf = (name: string, standard: number): number => {
  const given = process.env[`BENCH_${name}`];
  if (given === undefined) return standard;
  const size = Number(given);
  if (!Number.isInteger(size) || size < 1) throw new Error(`BENCH_${name} must be a whole number above 0.`);
  return size;
};
