import type { Configuration } from '../configuration/model.ts';

/**
 * Escapes `${env:NAME}` in all texts of a configuration, which would otherwise stand for a variable of the environment.
 * A file of another product could name a secret of the machine that way.
 */
export const withLiteralTexts = (configuration: Configuration): Configuration =>
  escaped(configuration) as Configuration;

const escaped = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll('${env:', () => '$${env:');
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]));
};
