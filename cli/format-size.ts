/** Formats a number of bytes in binary units, with three digits: `1.25 MiB`. */
export const formatSize = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let amount = bytes;
  let unit = 0;
  for (; amount >= 1_024 && unit < units.length - 1; unit++) amount /= 1_024;
  return `${unit === 0 ? amount : Number(amount.toPrecision(3))} ${units[unit] ?? ''}`;
};
