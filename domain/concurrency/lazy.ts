/** Creates a value at its first use and caches it. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
