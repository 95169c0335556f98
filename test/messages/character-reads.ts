const COUNTED = ['charCodeAt', 'charAt', 'codePointAt', 'indexOf', 'slice', 'split', 'replace'] as const;

/**
 * Estimates how many characters `work` reads, by counting calls of the string methods that parsers use. A method call
 * counts as one character, a regular expression as all characters that it may have read. This function replaces global
 * methods, so a test file that calls it needs its own process.
 */
export const countCharacterReads = async (work: () => unknown): Promise<number> => {
  let count = 0;
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = COUNTED.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    prototype[name] = function (this: string, ...args: unknown[]) {
      count += 1;
      return original?.apply(this, args);
    };
  }
  const expressions = RegExp.prototype as { exec: (this: RegExp, text: string) => RegExpExecArray | null };
  const { exec } = expressions;
  expressions.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    if (found) count += 1 + found.index + found[0].length - from;
    else count += this.sticky || isShort(this.source) ? 1 : 1 + text.length - from;
    return found;
  };
  try {
    await work();
  } finally {
    expressions.exec = exec;
    for (const [name, original] of originals) if (original) prototype[name] = original;
  }
  return count;
};

const short = new Map<string, boolean>();

/**
 * Returns whether a regular expression reads only the beginning of a text: it has an anchor and no `*`, `+` or `{n,}`.
 */
const isShort = (source: string): boolean => {
  const known = short.get(source);
  if (known !== undefined) return known;
  const isIt = source.startsWith('^') && !source.includes('*') && !source.includes('+') && !source.includes(',}');
  short.set(source, isIt);
  return isIt;
};
