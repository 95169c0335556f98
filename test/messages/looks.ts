const COUNTED = ['charCodeAt', 'charAt', 'codePointAt', 'indexOf', 'slice', 'split', 'replace'] as const;

/**
 * How often a piece of work looks at texts, through the methods that parsers look at texts with. It replaces these
 * methods for everybody meanwhile, so the file that calls it needs a process of its own.
 */
export const looks = async (work: () => unknown): Promise<number> => {
  let count = 0;
  const prototype = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = COUNTED.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals) {
    prototype[name] = function (this: string, ...args: unknown[]) {
      count += 1;
      return original?.apply(this, args);
    };
  }
  try {
    await work();
  } finally {
    for (const [name, original] of originals) if (original) prototype[name] = original;
  }
  return count;
};
