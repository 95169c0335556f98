/**
 * Whether an `Accept` header takes JSON (RFC 9110, 12.5.1): the most specific range that covers
 * `application/json` decides; one with `q=0` refuses it. No header takes everything.
 */
export const acceptsJson = (header: string | undefined): boolean => {
  if (header === undefined || header === '' || header === '*/*' || header === 'application/json') return true;
  let specificity = 0;
  let quality = 0;
  for (const range of header.split(',')) {
    const [name = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specific = SPECIFICITY.get(name) ?? 0;
    if (specific < specificity || specific === 0) continue;
    const weight = qualityOf(parameters);
    quality = specific === specificity ? Math.max(quality, weight) : weight;
    specificity = specific;
  }
  return quality > 0;
};

const SPECIFICITY = new Map([
  ['*/*', 1],
  ['application/*', 2],
  ['application/json', 3],
]);

const qualityOf = (parameters: readonly string[]): number => {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const weight = given === undefined ? 1 : Number(given.slice(2));
  return Number.isNaN(weight) ? 1 : weight;
};
