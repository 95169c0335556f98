/** Words of PromQL that are neither metrics nor labels. */
const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan']);

/**
 * Returns the names of the metrics in an expression of PromQL: all names that are not functions, labels, words of the
 * language or parts of a text.
 */
export const metricsIn = (expression: string): string[] => {
  const bare = expression
    .replace(/"[^"]*"|'[^']*'/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/(?<![\w.])([a-zA-Z_:][\w:]*)(?!\s*\(|[\w:])/g)]
    .map(([, name = '']) => name)
    .filter((name) => !WORDS.has(name.toLowerCase()));
};
