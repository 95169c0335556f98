/** Returns a function that creates a value when it is first called, and returns the same value on every later call. */
export const lazy = <T>(make: () => T): (() => T) => {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
};
